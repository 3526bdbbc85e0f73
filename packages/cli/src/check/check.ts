import type { Finding } from './finding.ts';
import type { Patient } from './patient.ts';

/** One thing to look at. */
export interface Check {
  readonly name: string;
  /** What it is about, for the report. */
  readonly title: string;
  /** Only for MCP servers. */
  readonly isMcp?: boolean;
  run(patient: Patient): Promise<Finding>;
}
