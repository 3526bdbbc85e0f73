// Prints `N passed, N failed` from the JSON report of a test run, and fails where the run did.

import { readFileSync } from 'node:fs';

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
// A file that could not be loaded has no tests to count, and is a failure all the same.
const unloaded = report.testResults.filter(
  ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
);
const failed = report.numFailedTests + unloaded.length;
console.log(`${report.numPassedTests} passed, ${failed} failed`);
process.exitCode = report.success && failed === 0 ? 0 : 1;
