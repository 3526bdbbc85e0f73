import { Dispatcher, runServer } from 'tincan-wire';

const temperatures: Record<string, number> = { Oslo: 4, Lima: 19 };

/** A change of behaviour that a replay should find. */
const offset = process.argv.includes('--warmer') ? 1 : 0;

const weather = new Dispatcher({
  login: () => ({ user: 'guest' }),
  temperature: ({ city }: { city: string }) => (temperatures[city] ?? 0) + offset,
});

await runServer(weather);
