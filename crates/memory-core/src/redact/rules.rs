//! The formats that are recognised by themselves: one row for each, data only.
//!
//! A row says which anchors the pre-filter looks for, what stands around an anchor, how random the variable
//! part must be, and what the mask covers. A new format is a new row.

use super::checks;
use super::shape::Class::{Alnum, Base64, Crypt, Digit, Dotted, Hex, Path, Percent, Tilde, Upper, Url, Word};
use super::shape::{
    Class,
    Part::{self, Run, Text},
};

/// A credential format.
pub(super) struct Format {
    /// The name of the kind, as it stands in the marker.
    pub(super) kind: &'static str,
    /// The texts that announce it; their case counts.
    pub(super) anchors: &'static [&'static str],
    /// What must stand directly before the anchor and belongs to the secret.
    pub(super) before: Option<(Class, usize, usize)>,
    /// What must follow the anchor.
    pub(super) after: &'static [Part],
    /// The least entropy of the variable part, in bits for each character.
    pub(super) entropy: f64,
    /// Which part is masked.
    pub(super) mask: Mask,
    /// A checksum over the variable part; one that is right proves the token, a wrong one says nothing.
    pub(super) proof: Option<fn(&str) -> bool>,
    /// A condition on the whole match, where the shape alone would also fit other things.
    pub(super) condition: Option<fn(&str) -> bool>,
    /// A word, in lower case, that must stand close by because the shape alone is too common.
    pub(super) near: Option<&'static str>,
}

/// Which part of a match is masked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mask {
    /// The anchor with all that belongs to it.
    Whole,
    /// Only what follows the anchor, since the anchor is a name or an address.
    Tail,
}

impl Format {
    const fn behind(mut self, class: Class, min: usize, max: usize) -> Format {
        self.before = Some((class, min, max));
        self
    }

    const fn at_least(mut self, entropy: f64) -> Format {
        self.entropy = entropy;
        self
    }

    const fn tail(mut self) -> Format {
        self.mask = Mask::Tail;
        self
    }

    const fn near(mut self, word: &'static str) -> Format {
        self.near = Some(word);
        self
    }

    const fn only_if(mut self, condition: fn(&str) -> bool) -> Format {
        self.condition = Some(condition);
        self
    }

    const fn proven_by(mut self, proof: fn(&str) -> bool) -> Format {
        self.proof = Some(proof);
        self
    }
}

const fn format(kind: &'static str, anchors: &'static [&'static str], after: &'static [Part]) -> Format {
    Format {
        kind,
        anchors,
        before: None,
        after,
        entropy: 3.0,
        mask: Mask::Whole,
        proof: None,
        condition: None,
        near: None,
    }
}

/// All formats.
#[rustfmt::skip]
pub(super) static FORMATS: &[Format] = &[
    // Code hosting and package registries.
    format("github-pat", &["ghp_", "gho_", "ghu_", "ghr_"], &[Run(Word, 36, 255)])
        .proven_by(checks::crc32_base62),
    format("github-pat", &["ghs_"], &[Run(Dotted, 36, 1024)]).proven_by(checks::crc32_base62),
    format("github-pat", &["github_pat_"], &[Run(Word, 40, 255)]),
    format("gitlab-token", &["glpat-", "gldt-", "glrt-", "glrtr-", "glptt-", "glft-", "glsoat-", "glcbt-",
        "glimt-", "glagent-", "gloas-", "glffct-", "glwt-"], &[Run(Dotted, 20, 320)]),
    format("gitlab-token", &["GR1348941"], &[Run(Url, 20, 20)]),
    format("bitbucket-token", &["ATBB"], &[Run(Alnum, 32, 32)]),
    format("npm-token", &["npm_"], &[Run(Alnum, 36, 36)]).proven_by(checks::crc32_base62),
    format("pypi-token", &["pypi-AgEIcHlwaS5vcmc", "pypi-AgENdGVzdC5weXBpLm9yZ"], &[Run(Url, 50, 1000)]),
    format("rubygems-key", &["rubygems_"], &[Run(Hex, 48, 48)]).at_least(2.5),
    format("crates-io-token", &["cio"], &[Run(Alnum, 32, 32)]).at_least(3.5),
    format("docker-pat", &["dckr_pat_", "dckr_oat_"], &[Run(Url, 24, 64)]),
    format("artifactory-key", &["AKCp"], &[Run(Alnum, 65, 75)]),
    format("clojars-token", &["CLOJARS_"], &[Run(Alnum, 60, 60)]),
    format("nuget-key", &["oy2"], &[Run(Alnum, 43, 43)]).at_least(3.5),

    // Models and what is built around them.
    format("anthropic-key", &["sk-ant-"], &[Run(Url, 24, 300)]),
    format("openai-key", &["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"], &[Run(Url, 24, 300)]),
    format("openrouter-key", &["sk-or-v1-"], &[Run(Hex, 64, 64)]).at_least(2.5),
    format("openai-key", &["sk-"], &[Run(Alnum, 20, 200)]).at_least(3.2),
    format("huggingface-token", &["hf_", "api_org_"], &[Run(Alnum, 34, 40)]).at_least(3.5),
    format("replicate-token", &["r8_"], &[Run(Alnum, 37, 40)]),
    format("groq-key", &["gsk_"], &[Run(Alnum, 48, 60)]),
    format("xai-key", &["xai-"], &[Run(Alnum, 70, 90)]),
    format("perplexity-key", &["pplx-"], &[Run(Alnum, 40, 64)]),
    format("cerebras-key", &["csk-"], &[Run(Alnum, 40, 64)]),
    format("fireworks-key", &["fw_"], &[Run(Alnum, 24, 32)]).at_least(3.5),
    format("nvidia-key", &["nvapi-"], &[Run(Url, 60, 80)]),
    format("pinecone-key", &["pcsk_"], &[Run(Word, 50, 90)]),
    format("langsmith-key", &["lsv2_pt_", "lsv2_sk_"], &[Run(Word, 40, 50)]),
    format("langfuse-key", &["sk-lf-"], &[Run(Url, 36, 36)]).at_least(2.5),
    format("elevenlabs-key", &["sk_"], &[Run(Hex, 48, 48)]).at_least(2.5),
    format("tavily-key", &["tvly-"], &[Run(Url, 28, 60)]),
    format("voyage-key", &["pa-"], &[Run(Url, 43, 43)]).at_least(4.0).only_if(checks::mixed),
    format("jina-key", &["jina_"], &[Run(Url, 40, 80)]).at_least(3.5).only_if(checks::mixed),
    format("firecrawl-key", &["fc-"], &[Run(Hex, 32, 32)]).at_least(2.5),
    format("e2b-key", &["e2b_"], &[Run(Hex, 40, 40)]).at_least(2.5),

    // Clouds and hosting.
    format("aws-access-key-id", &["AKIA", "ASIA", "ABIA", "ACCA"], &[Run(Upper, 16, 16)]).at_least(2.5),
    format("aws-bedrock-key", &["ABSKQmVkcm9ja0FQSUtleS"], &[Run(Base64, 80, 300)]),
    format("google-api-key", &["AIza"], &[Run(Url, 35, 35)]),
    format("google-api-key", &["AQ.Ab"], &[Run(Url, 40, 80)]).at_least(3.5),
    format("google-oauth", &["ya29."], &[Run(Dotted, 24, 1024)]),
    format("google-oauth", &["GOCSPX-"], &[Run(Url, 28, 28)]),
    format("google-oauth", &["1//0"], &[Run(Url, 40, 220)]),
    format("azure-storage-key", &["AccountKey=", "accountkey="], &[Run(Base64, 86, 88)]).tail(),
    format("azure-storage-key", &["SharedAccessKey=", "sharedaccesskey="], &[Run(Base64, 40, 48)]).tail(),
    format("azure-sas", &["sig="], &[Run(Percent, 42, 80)]).tail().near("sv="),
    format("aws-signature", &["X-Amz-Signature="], &[Run(Hex, 64, 64)]).at_least(2.5).tail(),
    format("azure-client-secret", &["0Q~", "1Q~", "2Q~", "3Q~", "4Q~", "5Q~", "6Q~", "7Q~", "8Q~", "9Q~"],
        &[Run(Tilde, 30, 36)]).behind(Tilde, 3, 3),
    format("alibaba-access-key-id", &["LTAI"], &[Run(Alnum, 16, 24)]),
    format("digitalocean-token", &["dop_v1_", "doo_v1_", "dor_v1_"], &[Run(Hex, 64, 64)]).at_least(2.5),
    format("heroku-key", &["HRKU-"], &[Run(Url, 36, 70)]),
    format("fly-token", &["fm2_", "fm1r_", "fm1a_"], &[Run(Base64, 50, 4000)]),
    format("fly-token", &["fo1_"], &[Run(Url, 43, 43)]),
    format("netlify-token", &["nfp_", "nfc_", "nfo_", "nfu_"], &[Run(Alnum, 36, 40)]),
    format("render-key", &["rnd_"], &[Run(Alnum, 28, 36)]).at_least(3.5),
    format("vercel-token", &["vcp_", "vci_", "vca_", "vcr_", "vck_"], &[Run(Alnum, 48, 64)]),
    format("supabase-token", &["sbp_", "sbp_oauth_", "sbp_v0_"], &[Run(Hex, 40, 40)]).at_least(2.5),
    format("supabase-token", &["sb_secret_"], &[Run(Url, 24, 64)]),
    format("planetscale-token", &["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], &[Run(Dotted, 32, 64)]),
    format("neon-key", &["napi_"], &[Run(Alnum, 60, 70)]),
    format("tailscale-key", &["tskey-auth-", "tskey-api-", "tskey-client-", "tskey-webhook-", "tskey-scim-"],
        &[Run(Url, 24, 80)]),
    format("cloudflare-key", &["v1.0-"], &[Run(Hex, 24, 24), Text("-"), Run(Hex, 146, 146)]).at_least(2.5),

    // Secrets, infrastructure and monitoring.
    format("vault-token", &["hvs.", "hvb.", "hvr."], &[Run(Url, 24, 400)]),
    format("terraform-token", &[".atlasv1."], &[Run(Url, 60, 72)]).behind(Alnum, 14, 14),
    format("doppler-token", &["dp.pt.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit.", "dp.said."],
        &[Run(Alnum, 40, 44)]),
    format("doppler-token", &["dp.st."], &[Run(Dotted, 40, 80)]),
    format("1password-token", &["ops_eyJ"], &[Run(Base64, 200, 2000)]),
    format("pulumi-token", &["pul-"], &[Run(Hex, 40, 40)]).at_least(2.5),
    format("password-hash", &["$6$", "$5$"], &[Run(Crypt, 1, 16), Text("$"), Run(Crypt, 43, 86)]),
    format("password-hash", &["$6$rounds=", "$5$rounds="],
        &[Run(Digit, 4, 9), Text("$"), Run(Crypt, 1, 16), Text("$"), Run(Crypt, 43, 86)]),
    format("password-hash", &["$y$"], &[Run(Crypt, 2, 8), Text("$"), Run(Crypt, 1, 86), Text("$"), Run(Crypt, 43, 43)]),
    format("age-secret-key", &["AGE-SECRET-KEY-1"], &[Run(Upper, 58, 58)]),
    format("grafana-token", &["glsa_"], &[Run(Alnum, 32, 32), Text("_"), Run(Hex, 8, 8)]),
    format("grafana-token", &["glc_"], &[Run(Base64, 32, 400)]),
    format("grafana-token", &["eyJrIjoi"], &[Run(Base64, 60, 400)]),
    format("new-relic-key", &["NRAK-"], &[Run(Upper, 27, 27)]),
    format("new-relic-key", &["NRII-", "NRIQ-", "NRRA-"], &[Run(Url, 27, 40)]),
    format("sentry-token", &["sntrys_"], &[Run(Base64, 60, 600)]),
    format("sentry-token", &["sntryu_"], &[Run(Hex, 64, 64)]).at_least(2.5),
    format("databricks-token", &["dapi"], &[Run(Hex, 32, 32)]).at_least(2.5),
    format("dynatrace-token", &["dt0c01.", "dt0s01."], &[Run(Upper, 24, 24), Text("."), Run(Upper, 64, 64)]),
    format("posthog-key", &["phx_"], &[Run(Alnum, 40, 64)]),

    // Chat, mail and telephony.
    format("slack-token", &["xoxb-", "xoxp-", "xoxa-", "xoxo-", "xoxr-", "xoxs-", "xoxc-", "xoxd-", "xoxe-",
        "xoxe.xoxb-", "xoxe.xoxp-", "xapp-", "xwfp-"], &[Run(Url, 24, 400)]).at_least(2.8),
    format("slack-webhook",
        &["hooks.slack.com/services/", "hooks.slack.com/workflows/", "hooks.slack.com/triggers/"],
        &[Run(Path, 36, 120)]).tail(),
    format("discord-token", &["."], &[Run(Url, 6, 6), Text("."), Run(Url, 27, 40)])
        .behind(Url, 24, 28).only_if(checks::discord),
    format("discord-webhook", &["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
        &[Run(Digit, 17, 20), Text("/"), Run(Url, 60, 80)]).tail(),
    format("telegram-token", &[":AA"], &[Run(Url, 33, 33)]).behind(Digit, 8, 10),
    format("teams-webhook", &[".webhook.office.com/webhookb2/"],
        &[Run(Url, 36, 36), Text("@"), Run(Path, 60, 200)]).tail(),
    format("sendgrid-key", &["SG."], &[Run(Url, 20, 24), Text("."), Run(Url, 39, 50)]),
    format("mailgun-key", &["key-"], &[Run(Hex, 32, 32)]).at_least(2.5),
    format("mailchimp-key", &["-us"], &[Run(Digit, 1, 2)]).behind(Hex, 32, 32).at_least(2.5),
    format("resend-key", &["re_"], &[Run(Alnum, 7, 10), Text("_"), Run(Alnum, 20, 30)])
        .at_least(3.5).only_if(checks::mixed),
    format("brevo-key", &["xkeysib-", "xsmtpsib-"], &[Run(Hex, 64, 64), Text("-"), Run(Alnum, 16, 16)]),
    format("twilio-key", &["SK0", "SK1", "SK2", "SK3", "SK4", "SK5", "SK6", "SK7", "SK8", "SK9", "SKa",
        "SKb", "SKc", "SKd", "SKe", "SKf"], &[Run(Hex, 31, 31)]).at_least(2.5).near("twilio"),

    // Payments and shops.
    format("stripe-key", &["sk_live_", "rk_live_", "sk_test_", "rk_test_", "sk_prod_", "rk_prod_"],
        &[Run(Alnum, 16, 250)]),
    format("stripe-key", &["whsec_"], &[Run(Base64, 24, 80)]),
    format("square-token", &["sq0atp-", "sq0csp-", "sq0idp-"], &[Run(Url, 22, 43)]),
    format("square-token", &["EAAA"], &[Run(Url, 60, 60)]).at_least(4.0),
    format("facebook-token", &["EAAM", "EAAC", "EAAG"], &[Run(Alnum, 100, 300)]).at_least(4.0),
    format("shopify-token", &["shpat_", "shpca_", "shppa_", "shpss_", "shpua_"], &[Run(Hex, 32, 32)])
        .at_least(2.5),
    format("easypost-key", &["EZAK", "EZTK"], &[Run(Alnum, 54, 54)]),

    // Work tools.
    format("linear-key", &["lin_api_", "lin_oauth_"], &[Run(Alnum, 32, 64)]),
    format("notion-token", &["secret_"], &[Run(Alnum, 43, 43)]).at_least(3.5),
    format("notion-token", &["ntn_"], &[Run(Alnum, 40, 60)]),
    format("airtable-token", &["pat"], &[Run(Alnum, 14, 14), Text("."), Run(Hex, 64, 64)]),
    format("atlassian-token", &["ATATT3", "ATCTT3", "ATOAT3"], &[Run(Base64, 90, 320)]),
    format("figma-token", &["figd_", "figo_"], &[Run(Url, 36, 64)]),
    format("postman-key", &["PMAK-"], &[Run(Hex, 24, 24), Text("-"), Run(Hex, 34, 34)]).at_least(2.5),
    format("contentful-token", &["CFPAT-"], &[Run(Url, 43, 43)]),
    format("typeform-token", &["tfp_"], &[Run(Tilde, 40, 64)]),
    format("sourcegraph-token", &["sgp_"], &[Run(Word, 40, 64)]).at_least(2.5),
    format("circleci-token", &["CCIPAT_", "CCIPRJ_"], &[Run(Word, 40, 80)]),
    format("buildkite-token", &["bkua_"], &[Run(Hex, 40, 40)]).at_least(2.5),
    format("mapbox-token", &["sk.eyJ"], &[Run(Url, 60, 100), Text("."), Run(Url, 20, 24)]),
];
