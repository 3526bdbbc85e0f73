import { describe, expect, it } from 'vitest';
import type { EmbedderSettings } from '../../src/embed/embedder-settings.ts';
import { settingsOfSpace } from '../../src/service/settings-of-space.ts';
import type { Space } from '../../src/store/space.ts';

const space = (fields: Partial<Space>): Space => ({
  id: 1,
  provider: 'openai',
  model: 'm',
  dim: 4,
  baseUrl: null,
  ...fields,
});
const settings = (fields: Partial<EmbedderSettings>): EmbedderSettings => ({
  provider: 'openai',
  model: 'm',
  dim: 0,
  baseUrl: 'https://api.openai.com/v1',
  apiKey: 'sk',
  ...fields,
});

describe('the settings of an older space', () => {
  it('have the key of their own origin and no other', () => {
    const known = [settings({ baseUrl: 'http://new.example', apiKey: 'new' }), settings({})];
    const keyAt = (baseUrl: string | null): unknown =>
      settingsOfSpace(space({ baseUrl }), known)?.apiKey;
    expect(keyAt('http://new.example/v1')).toBe('new');
    expect(keyAt(null)).toBe('sk');
    expect(keyAt('http://old.example')).toBeUndefined();
  });

  it('name a model folder only if it was configured', () => {
    const onnx = settings({ provider: 'onnx', model: '/m', runtime: '/r', baseUrl: null });
    const older = space({ provider: 'onnx', model: '/m@0123abcd' });
    expect(settingsOfSpace(older, [settings({}), onnx])).toMatchObject({
      model: '/m@0123abcd',
      runtime: '/r',
    });
    expect(settingsOfSpace(older, [settings({})])).toBeUndefined();
    expect(settingsOfSpace({ ...older, model: '/evil@0123abcd' }, [onnx])).toBeUndefined();
  });

  it('do not exist for a provider of a later version', () => {
    expect(settingsOfSpace(space({ provider: 'later' }), [settings({})])).toBeUndefined();
  });
});
