export type { SeenRequest } from './exchange.ts';
export { scenarios } from './scenarios.ts';
export { type DemoUpstream, startDemoUpstream } from './upstream.ts';
