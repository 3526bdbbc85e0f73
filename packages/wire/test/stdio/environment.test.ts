import { describe, expect, it } from 'vitest';
import { childEnvironment, type EnvPolicy } from '../../src/stdio/environment.ts';

const PARENT = {
  PATH: '/bin',
  HOME: '/home/u',
  LC_ALL: 'C',
  XDG_CACHE_HOME: '/c',
  TZ: 'UTC',
  AWS_SECRET_ACCESS_KEY: 's3cret',
  NODE_OPTIONS: '--inspect',
  SHELL_FUNCTION: '() { :; }',
  TERM: '() { echo; }',
  HTTPS_PROXY: 'http://proxy:3128',
  http_proxy: 'http://user:pw@proxy:3128',
} as const;

function names(policy: EnvPolicy, platform: NodeJS.Platform = 'linux', parent = PARENT): string[] {
  return Object.keys(childEnvironment(policy, {}, { parent, platform })).sort();
}

describe('childEnvironment', () => {
  it('passes by default what programs need and nothing that may be secret', () => {
    expect(names('safe')).toEqual([
      'HOME',
      'HTTPS_PROXY',
      'LC_ALL',
      'PATH',
      'TZ',
      'XDG_CACHE_HOME',
    ]);
  });

  it('keeps a proxy with a password and an exported shell function to itself', () => {
    const passed = names('safe');
    expect(passed).not.toContain('http_proxy');
    expect(passed).not.toContain('TERM');
  });

  it('passes everything under `all` and nothing under `none`', () => {
    expect(names('all')).toEqual(Object.keys(PARENT).sort());
    expect(names('none')).toEqual([]);
  });

  it.each<EnvPolicy>(['safe', 'all', 'none'])('adds what is given under `%s`', (policy) => {
    const env = childEnvironment(
      policy,
      { TOKEN: 'given', PATH: '/mine' },
      { parent: PARENT, platform: 'linux' },
    );
    expect(env).toMatchObject({ TOKEN: 'given', PATH: '/mine' });
  });

  it('takes a variable away that is given as undefined', () => {
    const env = childEnvironment('all', { HOME: undefined }, { parent: PARENT, platform: 'linux' });
    expect('HOME' in env).toBe(false);
    expect(env['PATH']).toBe('/bin');
  });

  it('leaves out a variable of the parent that has no value', () => {
    const parent = { PATH: undefined, HOME: '/h' };
    expect(childEnvironment('all', {}, { parent, platform: 'linux' })).toEqual({ HOME: '/h' });
  });

  it('knows the Windows names in any case', () => {
    const parent = {
      Path: 'C:\\bin',
      SystemRoot: 'C:\\Windows',
      'ProgramFiles(x86)': 'C:\\P',
      SECRET: 's',
    };
    const env = childEnvironment('safe', {}, { parent, platform: 'win32' });
    expect(Object.keys(env).sort()).toEqual(['Path', 'ProgramFiles(x86)', 'SystemRoot']);
  });

  it('lets a given variable replace the one of another case on Windows', () => {
    const env = childEnvironment(
      'safe',
      { PATH: 'C:\\mine', systemroot: undefined },
      { parent: { Path: 'C:\\bin', SystemRoot: 'C:\\Windows' }, platform: 'win32' },
    );
    expect(env).toEqual({ PATH: 'C:\\mine' });
  });

  it('tells names apart by case elsewhere', () => {
    const parent = { path: '/x', home: '/y' };
    expect(childEnvironment('safe', {}, { parent, platform: 'linux' })).toEqual({});
  });
});
