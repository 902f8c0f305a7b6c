import { createEngine } from '../../../src/transport/http/undici-engine.js';
import { describeEngine } from '../../support/http/engine.contract.js';

describeEngine('undici', createEngine);
