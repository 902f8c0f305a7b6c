import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { VERSION } from '../src/client/version.js';
import { exportsOf, originOf, programOf } from './support/architecture/program.js';

interface ExportList {
  readonly values: readonly string[];
  readonly types: readonly string[];
}

/**
 * The public surface. A name is added only with an issue that names it, and taken away only with a new
 * major version.
 */
const FROZEN: Readonly<Record<string, ExportList>> = {
  'index.ts': {
    values: [
      'CancelledError',
      'EraCache',
      'HttpError',
      'InputLoopExceededError',
      'InputRefusedError',
      'InvalidMessageError',
      'McpClient',
      'McpError',
      'MemoryCacheStore',
      'MessageTooLargeError',
      'NetworkError',
      'OptionError',
      'OutcomeUnknownError',
      'OutputInvalidError',
      'ProtocolError',
      'Registry',
      'ServerGoneError',
      'SpawnFailedError',
      'TimeoutError',
      'Toolkit',
      'TransportClosedError',
      'TransportError',
      'UnauthorizedError',
      'UnsupportedFeatureError',
      'UnsupportedVersionError',
      'connect',
      'connectHttp',
      'connectInMemory',
      'parseInbound',
      'toolFingerprint',
    ],
    types: [
      'AddOptions',
      'Annotations',
      'Answer',
      'AnswerOf',
      'AnswerTo',
      'AnySchema',
      'AudioContent',
      'AuthAnswer',
      'AuthChallenge',
      'AuthContext',
      'AuthProvider',
      'BatchEmission',
      'BatchOptions',
      'BatchResultOptions',
      'BlobResourceContents',
      'BridgeOptions',
      'Budget',
      'CacheEntry',
      'CacheStore',
      'CallEvent',
      'CallFormat',
      'CallOptions',
      'CallToolResult',
      'ClientCapabilities',
      'ClientOptions',
      'ClientPromises',
      'CloseOptions',
      'CompleteResult',
      'ConnectionState',
      'Connector',
      'ContentBlock',
      'CreateMessageRequestParams',
      'CreateMessageResult',
      'CreateMessageResultWithTools',
      'DeclarationChange',
      'DeclarationsOf',
      'DeclareOptions',
      'ElicitRequestFormParams',
      'ElicitResult',
      'ElicitUrlParams',
      'EmbeddedResource',
      'Era',
      'EraStore',
      'EraVerdict',
      'EventOptions',
      'FetchLike',
      'FormatOfCall',
      'GetPromptResult',
      'HandlerAnswer',
      'HandlerEvent',
      'HeadersOption',
      'Hooks',
      'HttpOptions',
      'Icon',
      'ImageContent',
      'Implementation',
      'InMemoryServer',
      'InMemoryServerTransport',
      'Inbound',
      'InputEvent',
      'InputQuestion',
      'InputRequest',
      'InvalidMessage',
      'JsonRpcErrorBody',
      'JsonRpcFailure',
      'JsonRpcNotification',
      'JsonRpcRequest',
      'JsonRpcResult',
      'ListRootsResult',
      'ListenEvent',
      'LlmFormat',
      'LogLevel',
      'LogMessage',
      'MemoryCacheOptions',
      'MissingProvider',
      'MountOptions',
      'Outbound',
      'Overlap',
      'Progress',
      'ProgressToken',
      'Prompt',
      'PromptArgument',
      'PromptMessage',
      'PromptReference',
      'ProviderPromises',
      'Question',
      'RawNotification',
      'ReadOptions',
      'ReadResourceResult',
      'RegistryDeclareOptions',
      'RegistryOptions',
      'RenderOptions',
      'RequestId',
      'Resource',
      'ResourceLink',
      'ResourceTemplate',
      'ResourceTemplateReference',
      'ResultOptions',
      'ResultPart',
      'RetryOptions',
      'Role',
      'Root',
      'Roots',
      'SamplingMessage',
      'SendHints',
      'ServerCapabilities',
      'ServerDescription',
      'Spilled',
      'SubscriptionFilter',
      'SuspendOptions',
      'SuspendableResult',
      'SuspendedCall',
      'TextContent',
      'TextResourceContents',
      'Tool',
      'ToolAnnotations',
      'ToolCall',
      'ToolCallEvent',
      'ToolCallProgress',
      'ToolChanges',
      'ToolContext',
      'ToolDefinition',
      'ToolHandler',
      'ToolProvider',
      'ToolResult',
      'ToolResultLike',
      'ToolkitOptions',
      'Transport',
      'TrustAnnotations',
      'UrlAnswer',
      'UrlQuestion',
      'Warning',
      'WarningKind',
      'WireForm',
      'WireFrame',
    ],
  },
  'bridge/stdio.ts': { values: ['connectStdio'], types: ['StdioOptions', 'StdioParameters'] },
  'config/index.ts': {
    values: ['ManagedServer', 'describeServer', 'loadConfig', 'openConfig'],
    types: [
      'CommonServerConfig',
      'ConfigEntry',
      'ConfigProblem',
      'HttpExtras',
      'HttpServerConfig',
      'LoadOptions',
      'LoadedConfig',
      'ManagedOptions',
      'ManagedPromises',
      'ManagedServers',
      'ManagedState',
      'ManagedStatus',
      'OAuthServerConfig',
      'OpenOptions',
      'PluginDirs',
      'ProblemLevel',
      'Reloaded',
      'ServerConfig',
      'StdioServerConfig',
      'Variables',
    ],
  },
  'testing/index.ts': {
    values: ['faultyTransport', 'fixtureServer', 'marbles', 'record', 'replay', 'scriptedTransport'],
    types: [
      'AssertEqual',
      'Fault',
      'FaultKind',
      'FaultPlan',
      'FaultStrike',
      'FaultyMessage',
      'FaultyTransport',
      'FixtureChange',
      'FixtureOptions',
      'FixturePrompt',
      'FixturePromptHandler',
      'FixtureResource',
      'FixtureServer',
      'MakeFaulty',
      'MakeRecording',
      'MarbleHelpers',
      'Mark',
      'RecordOptions',
      'RecordedLine',
      'Recording',
      'Replay',
      'ReplayOptions',
      'Script',
      'ScriptEntry',
      'ScriptListener',
      'ScriptedAnswer',
      'ScriptedCallParams',
      'ScriptedHelpers',
      'ScriptedMessage',
      'ScriptedNotice',
      'ScriptedNotificationMethod',
      'ScriptedOptions',
      'ScriptedParams',
      'ScriptedReply',
      'ScriptedRequestMethod',
      'ScriptedResult',
      'ScriptedSteps',
      'ScriptedTransport',
    ],
  },
  'testing/node/index.ts': { values: ['loadRecording', 'recordTo', 'saveRecording'], types: ['RecordTo'] },
  'auth/index.ts': {
    values: [
      'AuthorizationError',
      'MemoryTokenStore',
      'answerFromPopup',
      'clientCredentials',
      'enterpriseManaged',
      'oauth',
      'pageRedirect',
      'popupRedirect',
      'webTokenStore',
      'workloadIdentity',
    ],
    types: [
      'AuthorizationFacts',
      'AuthorizationProblem',
      'AuthorizationRequest',
      'AuthorizationState',
      'BrowserRedirect',
      'ClientAuthMethod',
      'ClientCredentialsOptions',
      'ClientKey',
      'CommonOptions',
      'EnterpriseOptions',
      'OAuthOptions',
      'OAuthProvider',
      'PreRegistered',
      'StoredRecord',
      'TokenStore',
      'WebStorage',
      'WorkloadOptions',
    ],
  },
  'auth/node/index.ts': {
    values: ['fileTokenStore', 'loopbackRedirect', 'openBrowser'],
    types: ['FileTokenStoreOptions', 'LoopbackRedirect', 'LoopbackRedirectOptions'],
  },
};

const isTypeOnlyExport = (symbol: ts.Symbol): boolean =>
  (symbol.declarations ?? []).some((declaration) => ts.isTypeOnlyExportDeclaration(declaration));

/** What a program can import from an entry, told apart by what is left of it at run time. */
const listOf = (program: ts.Program, entry: string): ExportList => {
  const list = { values: new Array<string>(), types: new Array<string>() };
  for (const symbol of exportsOf(program, entry)) {
    const isValue = !isTypeOnlyExport(symbol) && (originOf(program, symbol).flags & ts.SymbolFlags.Value) !== 0;
    list[isValue ? 'values' : 'types'].push(symbol.name);
  }
  return { values: list.values.sort(), types: list.types.sort() };
};

describe('the exports', () => {
  let program: ts.Program;
  beforeAll(() => {
    program = programOf(Object.keys(FROZEN).map((path) => ({ path, text: ts.sys.readFile(`src/${path}`) ?? '' })));
  }, 60_000);

  describe.each(Object.entries(FROZEN))('of src/%s', (entry, frozen) => {
    it('are the frozen ones', () => {
      expect(listOf(program, entry)).toEqual(frozen);
    });

    it('are at run time the frozen values', async () => {
      const loaded = (await import(`../src/${entry.replace(/\.ts$/, '.js')}`)) as Readonly<Record<string, unknown>>;
      expect(Object.keys(loaded).sort()).toEqual(frozen.values);
    });
  });

  it('are told apart: a class handed on as a type is no value', () => {
    const samples = programOf([
      {
        path: 'samples/a.ts',
        text: 'export class A {}\nexport class B {}\nexport interface C {}\nexport const d = 1;',
      },
      {
        path: 'samples/b.ts',
        text: `export { A, d } from './a.js';\nexport type { B, C } from './a.js';\nexport type E = 1;`,
      },
    ]);
    expect(listOf(samples, 'samples/b.ts')).toEqual({ values: ['A', 'd'], types: ['B', 'C', 'E'] });
  });
});

describe('the package', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

  it('introduces itself to servers with its own version', () => {
    expect(VERSION).toBe(manifest.version);
  });

  it('has a subpath for each entry, and no other', () => {
    expect(Object.keys(manifest.exports)).toEqual([
      '.',
      './stdio',
      './config',
      './testing',
      './testing/node',
      './auth',
      './auth/node',
      './package.json',
    ]);
  });

  it('takes rxjs from its user, and brings nothing it does not need at run time', () => {
    expect(Object.keys(manifest.peerDependencies)).toEqual(['rxjs']);
    expect(Object.keys(manifest.dependencies)).toEqual([
      '@cfworker/json-schema',
      '@noble/hashes',
      'cross-spawn',
      'eventsource-parser',
      'minisearch',
      'oauth4webapi',
      'undici',
    ]);
  });
});
