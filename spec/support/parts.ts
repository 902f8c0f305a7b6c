// A jest setup file (`setupFilesAfterEnv`): loads what is loaded on first use, so that time is the specs' own, as for
// somebody who has used the client before. What meets real servers in `spec/live` does so as a new program does.
import { expect } from '@jest/globals';

if (expect.getState().testPath?.includes('/spec/live/') !== true) {
  const { bridge } = await import('../../src/bridge/model-side.js');
  const { inputs } = await import('../../src/client/input-part.js');
  const { negotiation } = await import('../../src/client/negotiate-anyhow.js');
  const { compiler } = await import('../../src/client/output.js');
  const { digests } = await import('../../src/client/parts.js');
  const { following } = await import('../../src/client/subscriptions.js');
  const { legacyOpening } = await import('../../src/protocol/negotiate-http.js');
  const { eventStreams } = await import('../../src/transport/http/answer.js');
  const { olderForms } = await import('../../src/transport/http/connector.js');
  // One after another: jest mixes up modules that are loaded beside each other.
  for (const part of [
    bridge,
    digests,
    inputs,
    negotiation,
    compiler,
    following,
    legacyOpening,
    eventStreams,
    olderForms,
  ]) {
    await part.load();
  }
}
