import { openLocalEmbedder } from '../../src/embed/local/open-local.ts';
import { describeEmbedder } from './embedder-contract.ts';

describeEmbedder('the local model', () => openLocalEmbedder());
