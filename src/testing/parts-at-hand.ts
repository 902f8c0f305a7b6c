import * as validator from '@cfworker/json-schema';
import { bridge } from '../bridge/model-side.js';
import * as forModels from '../bridge/for-models.js';
import * as beyond from '../client/beyond-tools.js';
import * as follower from '../client/following.js';
import { inputs } from '../client/input-part.js';
import * as asked from '../client/inputs.js';
import * as kept from '../client/keeping.js';
import { keeping } from '../client/keeping-part.js';
import { negotiation } from '../client/negotiate-anyhow.js';
import { compiler } from '../client/output.js';
import { beyondTools } from '../client/queries.js';
import * as sha256 from '../client/sha256.js';
import { following } from '../client/subscriptions.js';
import * as handshake from '../protocol/handshake.js';
import { legacyAnswers } from '../protocol/legacy-handlers.js';
import * as negotiate from '../protocol/negotiate.js';
import { legacyOpening } from '../protocol/negotiate-http.js';
import * as compile from '../protocol/schemas/compile.js';
import * as serveLegacy from '../protocol/serve-legacy.js';
import * as serve from '../session/serve.js';
import { responders } from '../session/serving.js';

/** Has all that a client loads on first use be there: what is loaded takes turns of the loop, and in virtual time there are none. */
export const havePartsAtHand = (): void => {
  beyondTools.give(beyond);
  bridge.give(forModels);
  compiler.give(compile);
  compile.validators.give(validator);
  following.give(follower);
  inputs.give(asked);
  keeping.give(kept);
  kept.digests.give(sha256);
  legacyAnswers.give(serveLegacy);
  legacyOpening.give(handshake);
  negotiation.give(negotiate);
  responders.give(serve);
};
