import { createHash } from 'node:crypto';
import type { AnswerConfig } from '../config/config.ts';
import type { Logger } from '../logger.ts';
import { builtinPolicy } from './builtin-policy.ts';

/** The text sent as instructions, and a short name for exactly that text. */
export interface Policy {
  readonly text: string;
  readonly hash: string;
}

/** What a policy file needs from the file system. */
export interface PolicyFiles {
  readFile(path: string): Promise<string>;
  /** Anything that changes when the file does. */
  stamp(path: string): Promise<string>;
}

/** Gives the policy in force now. */
export interface SystemPolicy {
  current(): Promise<Policy>;
}

/** Composes the policy once, and again only when its file has changed. */
export function createSystemPolicy(
  { source, path, merge }: AnswerConfig['policy']['system'],
  options: { readonly files: PolicyFiles; readonly logger: Logger },
): SystemPolicy {
  const { files, logger } = options;
  const builtin = policyOf(builtinPolicy);
  if (source === 'builtin' || path === null) return { current: async () => builtin };

  let loaded: { readonly stamp: string; readonly policy: Policy } | undefined;
  let complaint = '';
  return {
    async current() {
      try {
        const stamp = await files.stamp(path);
        if (loaded?.stamp !== stamp) {
          loaded = { stamp, policy: policyOf(compose(await files.readFile(path), merge)) };
        }
        complaint = '';
        return loaded.policy;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        // Once per reason, not once per call.
        if (complaint !== reason) {
          logger.warn(`policy file cannot be read, the built-in policy is used: ${reason}`);
        }
        complaint = reason;
        return builtin;
      }
    },
  };
}

function compose(file: string, merge: 'replace' | 'prepend' | 'append'): string {
  const own = file.trim();
  if (merge === 'replace') return own;
  return merge === 'prepend' ? `${own}\n\n${builtinPolicy}` : `${builtinPolicy}\n\n${own}`;
}

function policyOf(text: string): Policy {
  return { text, hash: createHash('sha256').update(text).digest('hex').slice(0, 16) };
}
