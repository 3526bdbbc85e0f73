import { describe, expect, it } from 'vitest';
import { endpointProblem, keyOrigin } from '../../src/embed/endpoint.ts';
import { isMetadataHost } from '../../src/embed/metadata-host.ts';

describe('an address of a provider', () => {
  it.each([
    'https://api.openai.com/v1',
    'http://127.0.0.1:11434',
    'http://localhost:8080/v1',
    'http://[::1]:11434',
    'http://10.0.0.5/v1',
    'http://192.168.1.20:11434',
    'https://metadata-tools.example/v1',
    'http://169.253.1.1',
    'http://[64:ff9b::a00:1]',
  ])('may be %s', (url) => {
    expect(endpointProblem(url)).toBeUndefined();
  });

  it.each([
    'file:///etc/passwd',
    'ftp://example.com',
    'data:text/plain,x',
    'javascript:alert(1)',
    'unix:/var/run/x.sock',
    'example.com/v1',
    '/v1',
    'http://',
    '',
  ])('is not %s', (url) => {
    expect(endpointProblem(url)).toContain('`http://` or `https://`');
  });

  it.each(['http://u:p@example.com', 'http://u@example.com', 'https://:p@example.com'])(
    'holds no credentials: %s',
    (url) => {
      expect(endpointProblem(url)).toContain('without user name and password');
    },
  );

  it.each([
    'http://example.com/\r\nX-Injected: 1',
    'http://exa\tmple.com',
    'http://example.com/\u0000',
    'http://example.com/\u0085',
    ' http://example.com',
    'http://example.com ',
  ])('holds no line breaks, spaces and control characters: %j', (url) => {
    expect(endpointProblem(url)).toContain('control characters');
  });

  it.each([
    'http://169.254.169.254/latest/meta-data',
    'http://169.254.0.1',
    'http://2852039166',
    'http://0xa9fea9fe',
    'http://0xa9.0xfe.0xa9.0xfe',
    'http://0251.0376.0251.0376',
    'http://169.254.43518',
    'http://169.254.169.254.',
    'http://１６９.254.169.254',
    'http://%31%36%39.254.169.254',
    'http:\\\\169.254.169.254',
    'http://[fe80::1]',
    'http://[febf::1]',
    'http://[::ffff:169.254.169.254]',
    'http://[::ffff:a9fe:a9fe]',
    'http://[::ffff:0:a9fe:a9fe]',
    'http://[::169.254.169.254]',
    'http://[64:ff9b::169.254.169.254]',
    'http://[64:ff9b:1::169.254.169.254]',
    'http://[2002:a9fe:a9fe::1]',
    'http://[fd00:ec2::254]',
    'http://[fd20:ce::254]',
    'http://100.100.100.200',
    'http://168.63.129.16',
    'http://192.0.0.192',
    'http://metadata.google.internal/computeMetadata/v1',
    'http://METADATA.google.internal.',
    'http://x.metadata.google.internal',
    'http://metadata',
    'http://metadata.goog',
    'http://instance-data',
    'http://instance-data.ec2.internal',
  ])('is not link-local and serves no metadata: %s', (url) => {
    expect(endpointProblem(url)).toContain('link-local or cloud metadata address');
  });

  it('may come from a resolver, with a zone', () => {
    expect(isMetadataHost('fe80::1%eth0')).toBe(true);
    expect(isMetadataHost('::ffff:169.254.169.254')).toBe(true);
    expect(isMetadataHost('93.184.216.34')).toBe(false);
  });
});

describe('the origin of a key', () => {
  it.each([
    [{ provider: 'openai' }, 'https://api.openai.com'],
    [{ provider: 'openai', baseUrl: null }, 'https://api.openai.com'],
    [{ provider: 'openai', baseUrl: 'https://api.openai.com/v2' }, 'https://api.openai.com'],
    [{ provider: 'openai', baseUrl: 'http://api.openai.com/v1' }, 'http://api.openai.com'],
    [{ provider: 'openai', baseUrl: 'https://x.example:8443/v1' }, 'https://x.example:8443'],
    [{ provider: 'ollama' }, 'http://127.0.0.1:11434'],
    [{ provider: 'local' }, 'https://api.openai.com'],
    [{ provider: 'none', baseUrl: null }, 'https://api.openai.com'],
  ] as const)('of %j is %s', (endpoint, origin) => {
    expect(keyOrigin(endpoint)).toBe(origin);
  });
});
