/**
 * Forms of keys, one on a line: kind, prefix, what follows. Facts about public key formats, compiled from the
 * rule list of gitleaks (see THIRD-PARTY-NOTICES.md) and the vendors' own documentation.
 *
 * What follows is a sequence of character classes with a count (`w36`: 36 letters or digits; `s20+`: 20 or
 * more; `d8-14`: 8 to 14) and of literals in single quotes. Classes: `d` 0-9, `h` lower-case hexadecimal,
 * `H` hexadecimal, `a` 0-9a-z, `U` 0-9A-Z, `w` 0-9A-Za-z, `s` also _ and -, `x` also . and =, `b` base64,
 * `p` a path of such, `k` `s` and *, `t` a path with @, `V` `U` and -. `^` in front of a prefix keeps the prefix and masks only what follows.
 */
export const FORMS = `
github-token ghp_ w36+
github-token gho_ w36+
github-token ghu_ w36+
github-token ghs_ w36+
github-token ghr_ w36+
github-token github_pat_ s22+
gitlab-token glpat- s20+
gitlab-token gldt- s20+
gitlab-token glrt- s20+
gitlab-token glrtr- s20+
gitlab-token glcbt- s20+
gitlab-token glptt- s20+
gitlab-token glft- s20+
gitlab-token glimt- s20+
gitlab-token glsoat- s20+
gitlab-token gloas- s20+
gitlab-token glagent- s20+
gitlab-token glffct- s20+
gitlab-token GR1348941 s20+
bitbucket-token ATBB w32+
bitbucket-token ATCTT3 x60+
atlassian-token ATATT3 x60+
aws-access-key AKIA U16
aws-access-key ASIA U16
aws-access-key ABIA U16
aws-access-key ACCA U16
aws-access-key AROA U16
aws-bedrock-key ABSK b100+
anthropic-key sk-ant- s20+
openrouter-key sk-or-v1- h64
openai-key sk-proj- s12+
openai-key sk-svcacct- s20+
openai-key sk-admin- s20+
secret-key sk- k10+
google-key AIza s35+
google-oauth GOCSPX- s28+
google-oauth ya29. x20+
google-oauth 1//0 s40+
firebase-key AAAA s7 ':' s100+
groq-key gsk_ w48+
huggingface-token hf_ w30+
huggingface-token api_org_ w30+
replicate-token r8_ w36+
perplexity-key pplx- w40+
xai-key xai- w60+
fireworks-key fw_ w22+
cerebras-key csk- w40+
voyage-key pa- s40+
tavily-key tvly- s20+
langsmith-key lsv2_pt_ s40+
langsmith-key lsv2_sk_ s40+
elevenlabs-key sk_ h48
nvidia-key nvapi- s60+
slack-token xoxa- s10+
slack-token xoxb- s10+
slack-token xoxc- s10+
slack-token xoxd- x10+
slack-token xoxe- s10+
slack-token xoxo- s10+
slack-token xoxp- s10+
slack-token xoxr- s10+
slack-token xoxs- s10+
slack-token xoxe.xoxb- s20+
slack-token xoxe.xoxp- s20+
slack-token xapp- d1 '-' s20+
slack-webhook ^hooks.slack.com/services/ p20+
slack-webhook ^hooks.slack.com/workflows/ p20+
slack-webhook ^hooks.slack.com/triggers/ p20+
discord-webhook ^discord.com/api/webhooks/ d8+ '/' s40+
discord-webhook ^discordapp.com/api/webhooks/ d8+ '/' s40+
discord-token M s23-27 '.' s6 '.' s27+
discord-token N s23-27 '.' s6 '.' s27+
discord-token O s23-27 '.' s6 '.' s27+
teams-webhook ^webhook.office.com/webhookb2/ t60+
stripe-key sk_live_ w10+
stripe-key sk_test_ w10+
stripe-key sk_prod_ w10+
stripe-key rk_live_ w10+
stripe-key rk_test_ w10+
stripe-key rk_prod_ w10+
stripe-key whsec_ b24+
square-token EAAA s60+
square-token sq0atp- s22+
square-token sq0csp- s40+
square-token sq0idp- s22+
paypal-token access_token$production$ a16 '$' h32
plaid-token access-sandbox- h8 '-' s27
plaid-token access-development- h8 '-' s27
plaid-token access-production- h8 '-' s27
facebook-token EAAC w100+
facebook-token EAAM w100+
shopify-token shpat_ H32
shopify-token shpca_ H32
shopify-token shppa_ H32
shopify-token shpss_ H32
twilio-key SK h32
sendgrid-key SG. s16-32 '.' s16-64
mailgun-key key- h32
mailgun-key pubkey- h32
brevo-key xkeysib- h64 '-' w16
brevo-key xsmtpsib- h64 '-' w16
resend-key re_ w8-9 '_' w20+
npm-token npm_ w36
pypi-token pypi- s50+
rubygems-key rubygems_ h48
docker-token dckr_pat_ s20+
docker-token dckr_oat_ s20+
clojars-token CLOJARS_ w60
nuget-key oy2 a43
digitalocean-token doo_v1_ h64
digitalocean-token dop_v1_ h64
digitalocean-token dor_v1_ h64
heroku-key HRKU- s30+
netlify-token nfp_ w36+
vercel-token vcp_ w24+
vercel-token vca_ w24+
vercel-token vck_ w24+
vercel-token vcr_ w24+
fly-token fo1_ s43
fly-token fm1a_ b100+
fly-token fm1r_ b100+
fly-token fm2_ b40+
cloudflare-key v1.0- h24 '-' h146
supabase-key sbp_ h40
supabase-key sb_secret_ s20+
databricks-token dapi h32
snowflake-token ver:1-hint: d4+ '-' b40+
grafana-token glc_ b32+
grafana-token glsa_ w32 '_' H8
grafana-token eyJrIjoi b70+
newrelic-key NRAK- s27+
newrelic-key NRJS- s19+
newrelic-key NRII- s27+
sentry-token sntrys_ b40+
sentry-token sntryu_ h64
datadog-key ddapp_ w34+
dynatrace-token dt0c01. U24 '.' U64
honeycomb-key hcaik_ a50+
posthog-key phx_ w40+
linear-key lin_api_ w32+
linear-key lin_oauth_ w32+
notion-token ntn_ w40+
notion-token secret_ w43
figma-token figd_ s40+
figma-token figu_ s40+
airtable-token pat w14 '.' h64
asana-token 2/ d10+ '/' d10+ ':' h32
clickup-token pk_ d6+ '_' U30+
typeform-token tfp_ x40+
contentful-token CFPAT- s43
readme-key rdme_ a70
postman-key PMAK- h24 '-' h34
shippo-token shippo_live_ H40
shippo-token shippo_test_ H40
duffel-token duffel_live_ x43
duffel-token duffel_test_ x43
easypost-key EZAK w54
easypost-key EZTK w54
flutterwave-key FLWSECK- a32 '-X'
flutterwave-key FLWSECK_TEST- a12+
lob-key live_ h35
lob-key test_ h35
vault-token hvs. s24+
vault-token hvb. s24+
vault-token hvr. s24+
pulumi-token pul- h40
doppler-token dp.pt. w40+
doppler-token dp.st. x40+
doppler-token dp.ct. w40+
doppler-token dp.sa. w40+
doppler-token dp.scim. w40+
doppler-token dp.audit. w40+
infisical-token st. H24 '.' H32 '.' H32
onepassword-key A3- U6 '-' V11-12 '-' U5 '-' U5 '-' U5
onepassword-token ops_eyJ b100+
age-key AGE-SECRET-KEY-1 U58
planetscale-token pscale_tkn_ x30+
planetscale-token pscale_pw_ x30+
planetscale-token pscale_oauth_ x30+
prefect-token pnu_ w36
scalingo-token tk-us- s48
sourcegraph-token sgp_ H40
sourcegraph-token sgp_ H16 '_' H40
sourcegraph-token sgp_local_ H40
openshift-token sha256~ s43
octopus-key API- U26
artifactory-key AKCp w60+
artifactory-key cmVmd w59
alibaba-key LTAI w20
tencent-key AKID w32
yandex-key AQVN s35-38
yandex-token t1. x10+ '.' x80+
adobe-secret p8e- w32
authress-key authress_ a5-30 '.' a4-6 '.' x40+
harness-key pat. s22 '.' h24 '.' w20
launchdarkly-key sdk- h8 '-' s27
launchdarkly-key api- h8 '-' s27
intercom-key dG9rO b40+
frameio-token fio-u- x64
infracost-key ico- w32
tailscale-key tskey- s20+
buildkite-token bkua_ h40
circleci-token CCIPAT_ w22 '_' h40
sonar-token squ_ h40
sonar-token sqp_ h40
sonar-token sqa_ h40
settlemint-token sm_aat_ w16
settlemint-token sm_pat_ w16
settlemint-token sm_sat_ w16
ngrok-token ngrok_ w40+
mapbox-token sk.eyJ s40+ '.' s20+
dropbox-token sl. s100+
beamer-token b_ x44
definednetworking-key dnkey- x26 '-' x52
clickhouse-key 4b1d w38
json-web-token eyJ s10+ '.' s10+ '.' s5+
`;
