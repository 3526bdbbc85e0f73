/** What a name says of its value: a password of any look, a key of any look, or a key if it looks random. */
export type NameKind = 'password' | 'key' | 'perhaps';

const PASSWORD_END =
  /(?:passw(?:or)?d|passwort|passphrase|passcode|kennwort|contrase[nñ]a|senha|motdepasse|mot de passe|userpass|rootpass|пароль|パスワード|密码|密碼|暗証番号)$/;
const PASSWORD_WORD = /^(?:pwd|pw|pass|pin|\w{2,6}pwd|\w{2,6}pw)$/;
const KEY_END =
  /(?:secret|apikey|secretkey|accesskey|privatekey|signingkey|encryptionkey|accountkey|authkey|masterkey|licensekey|sharedkey|sshkey|hmackey|clientsecret|accesstoken|authtoken|refreshtoken|idtoken|bearertoken|sessiontoken|authorization)$/;
/** Words that make a key a secret one. */
const SECRET_KEYS =
  /^(?:api|app|access|secret|private|signing|encryption|encrypt|decrypt|decryption|master|auth|account|license|licence|webhook|storage|admin|root|deploy|shared|ssh|crypt|crypto|jwt|hmac|subscription|client|session|cookie|rsa|aes|des|wpa|psk|recovery|host|write|read|ingest|integration|personal|service)$/;
/** Words that make a key one that anybody may see. */
const OPEN_KEYS =
  /^(?:public|pub|publishable|site|primary|foreign|sort|partition|cache|s3|object|hot|index|idx|unique|composite|map|dict|row|natural|schema|bucket|range|hash|lookup|routing|group|project|issue|i18n|translation|react|json|registry|state|query|storage_|arrow|any|the|a|data|event|config|label|short|legend|answer|candidate|order|join|super|surrogate|on|off|host|translation|locale|message|field|column|global|key)$/;
/** Words that make a token one that only tells things apart. */
const OPEN_TOKENS =
  /^(?:progress|next|page|paging|pagination|continuation|max|min|num|n|unexpected|continue|sync|cancel|cancellation|stop|start|end|eos|bos|pad|unk|special|idempotency|public|design|nft|sub|parser|lexer|invalid|first|last|previous|prev|current|each|every|per|input|output|prompt|completion|total|resume|ordering|of|a)$/;
/** Endings that do not change what a name means. */
const QUALIFIERS =
  /^(?:\d+|prod|production|dev|development|staging|stage|test|live|old|new|current|value|plain|plaintext|raw|base64|b64|base|backup|main|default|sandbox|local|env|header)$/;

/** Names repeat from message to message. */
const known = new Map<string, NameKind | undefined>();
const MAX_KNOWN = 1_000;

/** The kind of a name, from what it ends with; `undefined` where its value is not a secret. */
export function kindOfName(name: string): NameKind | undefined {
  if (name.length > 80 || name.length < 2) return undefined;
  const held = known.get(name);
  if (held !== undefined || known.has(name)) return held;
  if (known.size >= MAX_KNOWN) known.clear();
  const kind = nameKind(name);
  known.set(name, kind);
  return kind;
}

function nameKind(name: string): NameKind | undefined {
  const words = wordsOf(name);
  while (words.length > 1 && QUALIFIERS.test(words.at(-1) ?? '')) words.pop();
  const last = words.at(-1) ?? '';
  const before = words.at(-2) ?? '';
  if (PASSWORD_END.test(last) || (before === 'de' && last === 'passe')) return 'password';
  if (last === 'passwords' || last === 'passphrases') return 'password';
  if (PASSWORD_WORD.test(last)) return isYesOrNo(before) ? undefined : 'password';
  if (last === 'phrase' && (before === 'pass' || before === 'seed')) return 'password';
  if (last === 'word' && before === 'pass') return 'password';
  return keyKind(last, before);
}

function keyKind(last: string, before: string): NameKind | undefined {
  if (last === 'key' || last === 'keys') {
    if (last === 'key' && SECRET_KEYS.test(before)) return before === 'host' ? undefined : 'key';
    return before === '' || OPEN_KEYS.test(before) ? undefined : 'perhaps';
  }
  if (last === 'token') return OPEN_TOKENS.test(before) ? undefined : 'key';
  if (KEY_END.test(last)) return isYesOrNo(before) ? undefined : 'key';
  if (/^(?:secrets|credentials?|creds|apikeys)$/.test(last)) return 'key';
  if (/^(?:cookie|cookies|setcookie)$/.test(last)) return 'key';
  if (/^(?:auth|bearer|jwt|sid|sig|signature|authkey|tokens)$/.test(last)) {
    return last === 'tokens' ? undefined : 'perhaps';
  }
  if (last === 'base' && before === 'key') return 'key';
  return /(?:token|key)$/.test(last) && /^(?:api|auth|access|bot|session|refresh)/.test(last)
    ? 'key'
    : undefined;
}

function isYesOrNo(word: string): boolean {
  return /^(?:has|is|no|use|uses|with|needs|require|requires|show|hide|forgot|reset)$/.test(word);
}

/** The words of a name, in lower case: `dbPassword`, `DB_PASSWORD` and `db-password` are the same. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_.\-:/[\]]+/)
    .filter((word) => word !== '');
}
