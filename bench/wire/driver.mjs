// One column at one workload, in a process of its own that the runner asks for slices.
import { workloads } from './workloads.mjs';

const { workload, ...options } = JSON.parse(process.argv[2]);
const measurement = await workloads.find(({ name }) => name === workload).open(options);
process.on('message', async () => process.send(await measurement.slice()));
process.on('disconnect', async () => {
  await measurement?.close();
});
process.send(measurement === undefined ? 'unable' : 'ready');
