// One measurement in a process of its own: `node measure.mjs '{"column":…,"workload":…}'`.
import { workloads } from './workloads.mjs';

const { workload, ...options } = JSON.parse(process.argv[2]);
const { measure } = workloads.find(({ name }) => name === workload);
process.stdout.write(JSON.stringify((await measure(options)) ?? null));
