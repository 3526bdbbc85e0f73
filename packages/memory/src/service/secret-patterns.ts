/** A kind of secret and how it looks. With a group `secret` only that part is taken out. */
export interface SecretPattern {
  readonly kind: string;
  readonly pattern: RegExp;
}

/**
 * Texts that are keys by their very form, and values that are named as secrets beside them.
 * Repetitions are bounded wherever a match may fail late: the cost must stay linear.
 */
export const SECRET_PATTERNS: readonly SecretPattern[] = [
  {
    kind: 'private-key',
    pattern:
      /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
  { kind: 'putty-key', pattern: /PuTTY-User-Key-File-\d:[\s\S]{0,8000}?Private-MAC: \w+/g },
  { kind: 'age-key', pattern: /\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b/g },
  { kind: 'aws-access-key', pattern: /\b(?:AKIA|ASIA|ABIA|ACCA|AROA)[0-9A-Z]{16}\b/g },
  { kind: 'github-token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_\w{22,255})\b/g },
  { kind: 'gitlab-token', pattern: /\bgl(?:pat|dt|rt|cbt|ptt|ft|soat|agent)-[\w-]{20,}/g },
  { kind: 'bitbucket-token', pattern: /\bATBB[A-Za-z0-9]{32}\b/g },
  { kind: 'atlassian-token', pattern: /\bATATT3[\w=-]{60,}/g },
  { kind: 'anthropic-key', pattern: /\bsk-ant-[\w-]{20,}/g },
  { kind: 'openrouter-key', pattern: /\bsk-or-v1-[0-9a-f]{64}\b/g },
  { kind: 'openai-key', pattern: /\bsk-(?:proj-|svcacct-|admin-)?[\w-]{20,}/g },
  { kind: 'google-key', pattern: /\bAIza[\w-]{35}/g },
  { kind: 'google-oauth', pattern: /\b(?:GOCSPX-[\w-]{28}|ya29\.[\w-]{20,})/g },
  { kind: 'groq-key', pattern: /\bgsk_[A-Za-z0-9]{48,}\b/g },
  { kind: 'huggingface-token', pattern: /\b(?:hf|api_org)_[A-Za-z0-9]{30,}\b/g },
  { kind: 'replicate-token', pattern: /\br8_[A-Za-z0-9]{36,}\b/g },
  { kind: 'perplexity-key', pattern: /\bpplx-[A-Za-z0-9]{40,}\b/g },
  { kind: 'xai-key', pattern: /\bxai-[A-Za-z0-9]{60,}\b/g },
  { kind: 'slack-token', pattern: /\bxox[abeoprs]-[\w-]{10,}|\bxapp-\d-[\w-]{20,}/g },
  {
    kind: 'slack-webhook',
    pattern: /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/[\w/]{20,}/g,
  },
  {
    kind: 'discord-token',
    pattern: /\b[MNO][A-Za-z\d_-]{23,27}\.[\w-]{6}\.[\w-]{27,}/g,
  },
  {
    kind: 'discord-webhook',
    pattern: /https:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\/\d+\/[\w-]{40,}/g,
  },
  { kind: 'telegram-token', pattern: /\b\d{8,10}:AA[\w-]{33}\b/g },
  { kind: 'stripe-key', pattern: /\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}\b|\bwhsec_\w{24,}/g },
  { kind: 'square-token', pattern: /\b(?:EAAA[\w-]{60}|sq0(?:atp|csp)-[\w-]{22,43})/g },
  { kind: 'shopify-token', pattern: /\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b/g },
  { kind: 'twilio-key', pattern: /\bSK[0-9a-f]{32}\b/g },
  { kind: 'sendgrid-key', pattern: /\bSG\.[\w-]{16,32}\.[\w-]{16,64}/g },
  { kind: 'mailgun-key', pattern: /\bkey-[0-9a-f]{32}\b/g },
  { kind: 'mailchimp-key', pattern: /\b[0-9a-f]{32}-us\d{1,2}\b/g },
  { kind: 'npm-token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { kind: 'pypi-token', pattern: /\bpypi-[\w-]{50,}/g },
  { kind: 'rubygems-key', pattern: /\brubygems_[0-9a-f]{48}\b/g },
  { kind: 'docker-token', pattern: /\bdckr_pat_[\w-]{20,}/g },
  { kind: 'digitalocean-token', pattern: /\bdo[opr]_v1_[0-9a-f]{64}\b/g },
  { kind: 'heroku-key', pattern: /\bHRKU-[\w-]{30,}/g },
  { kind: 'netlify-token', pattern: /\bnfp_[A-Za-z0-9]{36,}\b/g },
  { kind: 'vercel-token', pattern: /\bvc[pkart]_[A-Za-z0-9]{24,}\b/g },
  { kind: 'fly-token', pattern: /\bFlyV1 fm\d_[\w+/=,-]{40,}/g },
  { kind: 'supabase-key', pattern: /\bsb(?:p|_secret|_publishable)_[\w-]{20,}/g },
  { kind: 'databricks-token', pattern: /\bdapi[0-9a-f]{32}\b/g },
  { kind: 'grafana-token', pattern: /\bgl(?:c|sa)_[\w+/=]{32,}/g },
  { kind: 'newrelic-key', pattern: /\bNR(?:AK|JS|II)-[\w-]{27,}/g },
  { kind: 'sentry-token', pattern: /\bsntry[su]_[\w+/=-]{40,}/g },
  { kind: 'linear-key', pattern: /\blin_(?:api|oauth)_[A-Za-z0-9]{32,}\b/g },
  { kind: 'notion-token', pattern: /\b(?:secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{40,})\b/g },
  { kind: 'figma-token', pattern: /\bfigd_[\w-]{40,}/g },
  { kind: 'airtable-token', pattern: /\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}\b/g },
  { kind: 'vault-token', pattern: /\bhv[sbr]\.[\w-]{24,}/g },
  { kind: 'terraform-token', pattern: /\b[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}/g },
  { kind: 'pulumi-token', pattern: /\bpul-[0-9a-f]{40}\b/g },
  { kind: 'doppler-token', pattern: /\bdp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,}/g },
  { kind: 'planetscale-token', pattern: /\bpscale_(?:tkn|pw|oauth)_[\w=.-]{30,}/g },
  { kind: 'json-web-token', pattern: /(?<![\w-])eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g },
  {
    kind: 'url-password',
    pattern: /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@]{0,100}:(?<secret>[^\s/@]{3,200})@/gi,
  },
  { kind: 'bearer-token', pattern: /\bBearer\s+(?<secret>[\w.~+/-]{20,}=*)/g },
  { kind: 'basic-auth', pattern: /\bBasic\s+(?<secret>[A-Za-z0-9+/]{16,}={0,2})(?=$|[\s"'])/g },
  {
    kind: 'azure-key',
    pattern: /\b(?:AccountKey|SharedAccessKey)=(?<secret>[A-Za-z0-9+/]{40,}={0,2})/g,
  },
  {
    kind: 'named-secret',
    pattern:
      /(?<![A-Za-z])(?:api[_-]?key|secret(?:[_-]?(?:access[_-]?)?key)?|access[_-]?token|auth[_-]?token|client[_-]?secret|private[_-]?key|passw(?:or)?d|passphrase|token)["']?\s*[:=]\s*["']?(?<secret>(?=[^\s"']{0,60}\d)(?=[^\s"']{0,60}[A-Za-z])[^\s"',;{}()[\]<>$]{12,500})/gi,
  },
];
