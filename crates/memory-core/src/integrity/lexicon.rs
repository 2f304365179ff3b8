//! The words that contradictions hang on, in English and Portuguese, folded: what can be only one of several things,
//! words that say the opposite, and words that stand for no subject of their own.

/// Things of which usually one is chosen, by what they are; the first words name the thing itself.
pub(super) struct Slot {
    pub(super) name: &'static str,
    /// Words for the thing itself.
    pub(super) words: &'static [&'static str],
    /// What may be chosen.
    pub(super) choices: &'static [&'static str],
}

#[rustfmt::skip]
pub(super) const SLOTS: &[Slot] = &[
    Slot { name: "database", words: &["database", "databases", "db", "banco", "bancos", "bd", "store", "storage", "rdbms"],
        choices: &["postgres", "postgresql", "mysql", "mariadb", "sqlite", "mongodb", "mongo", "dynamodb", "cassandra", "cockroachdb", "oracle", "mssql", "duckdb", "couchdb", "firestore"] },
    Slot { name: "package manager", words: &["package", "packages", "manager", "gerenciador", "pacotes", "install", "dependencies", "dependencias", "instalar"],
        choices: &["npm", "yarn", "pnpm", "bun"] },
    Slot { name: "python package manager", words: &["package", "manager", "gerenciador", "pacotes"],
        choices: &["pip", "poetry", "uv", "pipenv", "conda"] },
    Slot { name: "frontend framework", words: &["frontend", "framework", "ui", "interface"],
        choices: &["react", "vue", "svelte", "angular", "solidjs", "preact", "ember"] },
    Slot { name: "web framework", words: &["backend", "framework", "server", "servidor", "api"],
        choices: &["express", "fastify", "nestjs", "django", "flask", "fastapi", "rails", "laravel", "axum", "actix", "rocket", "gin"] },
    Slot { name: "bundler", words: &["bundler", "bundle", "build"],
        choices: &["webpack", "vite", "rollup", "esbuild", "parcel", "turbopack"] },
    Slot { name: "test runner", words: &["test", "tests", "runner", "testes", "unit", "unitarios"],
        choices: &["jest", "vitest", "mocha", "jasmine", "ava", "pytest", "unittest", "nose"] },
    Slot { name: "browser tests", words: &["e2e", "browser", "end-to-end", "tests", "testes"],
        choices: &["playwright", "cypress", "selenium", "puppeteer", "webdriver"] },
    Slot { name: "formatter", words: &["formatter", "format", "formatting", "formatador", "formatacao"],
        choices: &["prettier", "biome", "black", "dprint", "yapf"] },
    Slot { name: "transport", words: &["transport", "streaming", "realtime", "push", "transporte", "updates", "live", "events", "eventos"],
        choices: &["sse", "websocket", "websockets", "long-polling", "polling", "sockets"] },
    Slot { name: "api style", words: &["api", "apis", "style", "estilo"],
        choices: &["rest", "graphql", "grpc", "soap", "trpc"] },
    Slot { name: "message queue", words: &["queue", "broker", "messaging", "fila", "filas", "mensageria"],
        choices: &["kafka", "rabbitmq", "nats", "sqs", "pulsar", "zeromq"] },
    Slot { name: "cache", words: &["cache", "caching"],
        choices: &["redis", "memcached", "valkey", "keydb"] },
    Slot { name: "ci", words: &["ci", "pipeline", "pipelines", "integration", "integracao"],
        choices: &["github-actions", "gitlab-ci", "jenkins", "circleci", "travis", "buildkite"] },
    Slot { name: "cloud", words: &["cloud", "hosting", "nuvem", "hospedagem", "provider", "provedor"],
        choices: &["aws", "gcp", "azure", "heroku", "hetzner", "digitalocean", "vercel", "netlify"] },
    Slot { name: "orm", words: &["orm", "database", "db", "queries", "banco"],
        choices: &["prisma", "typeorm", "sequelize", "drizzle", "kysely", "knex", "sqlalchemy", "diesel", "sqlx", "hibernate"] },
    Slot { name: "css", words: &["css", "styles", "styling", "estilos"],
        choices: &["tailwind", "bootstrap", "bulma", "styled-components", "emotion", "sass"] },
    Slot { name: "sign-in", words: &["authentication", "auth", "login", "autenticacao"],
        choices: &["jwt", "cookies", "oauth", "saml", "ldap"] },
    Slot { name: "indentation", words: &["indentation", "indent", "indentacao", "recuo"],
        choices: &["tabs", "spaces", "tabulacoes", "espacos"] },
    Slot { name: "repository layout", words: &["repository", "layout", "repositorio"],
        choices: &["monorepo", "polyrepo", "multirepo"] },
    Slot { name: "merging", words: &["merge", "merging", "strategy", "history"],
        choices: &["squash", "rebase", "merge-commits"] },
    Slot { name: "language of texts", words: &["language", "idioma", "lingua"],
        choices: &["english", "portuguese", "spanish", "french", "german", "ingles", "portugues", "espanhol", "frances", "alemao"] },
    Slot { name: "day", words: &["day", "dia"],
        choices: &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "mondays", "tuesdays",
            "wednesdays", "thursdays", "fridays", "saturdays", "sundays", "segunda", "terca", "quarta", "quinta", "sexta",
            "sabado", "domingo", "segundas", "tercas", "quartas", "quintas", "sextas", "sabados", "domingos",
            "segunda-feira", "terca-feira", "quarta-feira", "quinta-feira", "sexta-feira"] },
    Slot { name: "theme", words: &["theme", "tema", "mode", "modo"],
        choices: &["dark", "light", "escuro", "claro"] },
];

/// Spellings of one choice.
const SAME: &[(&str, &str)] = &[
    ("postgresql", "postgres"),
    ("mongo", "mongodb"),
    ("websockets", "websocket"),
    ("sockets", "websocket"),
    ("long-polling", "polling"),
    ("tabulacoes", "tabs"),
    ("espacos", "spaces"),
    ("ingles", "english"),
    ("portugues", "portuguese"),
    ("espanhol", "spanish"),
    ("frances", "french"),
    ("alemao", "german"),
    ("escuro", "dark"),
    ("claro", "light"),
    ("multirepo", "polyrepo"),
];

/// The slot of a word that may be chosen, and the one spelling of it.
pub(super) fn slot_of(word: &str) -> Option<(&'static Slot, String)> {
    let slot = SLOTS.iter().find(|slot| slot.choices.contains(&word))?;
    let same = SAME.iter().find(|(from, _)| *from == word).map_or(word, |(_, to)| to);
    let day = same.strip_suffix("-feira").unwrap_or(same);
    let one = if slot.name == "day" { day.strip_suffix('s').unwrap_or(day) } else { same };
    Some((slot, one.to_owned()))
}

/// Words that cannot both be true of one thing.
pub(super) const OPPOSITES: &[(&str, &str)] = &[
    ("enabled", "disabled"),
    ("on", "off"),
    ("required", "optional"),
    ("mandatory", "optional"),
    ("allowed", "forbidden"),
    ("allowed", "prohibited"),
    ("supported", "unsupported"),
    ("synchronous", "asynchronous"),
    ("sync", "async"),
    ("public", "private"),
    ("open", "closed"),
    ("stateless", "stateful"),
    ("mutable", "immutable"),
    ("manual", "automatic"),
    ("case-sensitive", "case-insensitive"),
    ("safe", "unsafe"),
    ("ativado", "desativado"),
    ("ativada", "desativada"),
    ("habilitado", "desabilitado"),
    ("habilitada", "desabilitada"),
    ("ligado", "desligado"),
    ("ligada", "desligada"),
    ("obrigatorio", "opcional"),
    ("obrigatoria", "opcional"),
    ("permitido", "proibido"),
    ("permitida", "proibida"),
    ("sincrono", "assincrono"),
    ("publico", "privado"),
    ("publica", "privada"),
    ("aberto", "fechado"),
    ("aberta", "fechada"),
    ("manual", "automatico"),
];

/// Whether two words are the opposite of each other.
pub(super) fn are_opposite(a: &str, b: &str) -> bool {
    OPPOSITES.iter().any(|&(x, y)| (a, b) == (x, y) || (b, a) == (x, y))
}

/// Whether a word says on which of two sides a thing is.
pub(super) fn takes_sides(word: &str) -> bool {
    OPPOSITES.iter().any(|&(x, y)| word == x || word == y)
}

/// Nouns of which a thing has one: two different names for it cannot both hold.
#[rustfmt::skip]
pub(super) const SINGLE: &[&str] = &[
    "port", "codename", "name", "branch", "host", "hostname", "url", "domain", "address", "endpoint", "path", "folder",
    "directory", "version", "deadline", "date", "owner", "maintainer", "licence", "license", "format", "encoding", "region",
    "timezone", "zone", "prefix", "suffix", "default", "limit", "timeout", "budget", "password", "key", "tag", "registry",
    "image", "database", "language", "protocol", "algorithm", "currency", "lead", "channel", "bucket", "cluster",
    "porta", "nome", "codinome", "ramo", "dominio", "endereco", "caminho", "pasta", "versao", "prazo", "data", "dono", "dona",
    "responsavel", "licenca", "formato", "codificacao", "regiao", "fuso", "prefixo", "sufixo", "padrao", "limite", "orcamento",
    "senha", "chave", "imagem", "banco", "idioma", "protocolo", "algoritmo", "moeda", "lider", "canal",
];

/// Nouns that a number only names: `bug 12` and `bug 13` are two things, not two values of one.
#[rustfmt::skip]
pub(super) const NUMBERED: &[&str] = &[
    "bug", "issue", "pr", "ticket", "chapter", "step", "phase", "section", "sprint", "milestone", "task", "test", "case", "line",
    "page", "item", "week", "day", "room", "server", "node", "shard", "part", "level", "figure", "table", "example", "build",
    "release", "adr", "rfc", "option", "question", "error", "erro", "passo", "fase", "secao", "tarefa", "caso", "linha", "pagina",
    "semana", "dia", "servidor", "parte", "nivel", "etapa", "capitulo", "exemplo", "opcao", "questao", "mes", "year", "ano",
    "migration", "commit", "run", "attempt", "q", "iteration", "experiment", "in", "em", "of", "de", "since", "desde", "by",
];

/// Words that narrow nothing: whoever uses something for "the main project" uses it.
#[rustfmt::skip]
pub(super) const GENERIC: &[&str] = &[
    "main", "primary", "project", "new", "everything", "all", "app", "application", "applications", "system", "code", "codebase",
    "repo", "data", "team", "product", "work", "thing", "things", "stack", "always", "now", "going", "forward", "everywhere",
    "principal", "projeto", "novo", "nova", "tudo", "aplicacao", "sistema", "codigo", "dados", "time", "equipe", "produto", "user",
    "usuario", "agora", "frente", "agent", "agents", "sempre", "only", "so", "somente", "apenas", "currently", "atualmente", "still",
    "also", "just", "please", "favor", "official", "standard", "padrao", "default", "service", "ours",
];

/// Verbs that carry no meaning of their own.
#[rustfmt::skip]
pub(super) const LIGHT: &[&str] = &[
    "do", "does", "make", "makes", "happen", "happens", "occur", "occurs", "need", "needs", "have", "has", "get", "keep", "go",
    "fazer", "faz", "fazemos", "acontece", "acontecem", "ocorre", "ocorrem", "precisa", "precisam", "ter", "tem", "manter",
];

/// Words after which a sentence tells no settled thing of the present.
#[rustfmt::skip]
pub(super) const UNSETTLED: &[&str] = &[
    "might", "maybe", "perhaps", "could", "would", "considered", "considering", "consider", "thinking", "proposed", "propose",
    "proposal", "wonder", "idea", "previously", "formerly", "originally", "initially", "was", "were", "had", "been", "tried",
    "trying", "experiment", "temporarily", "sometimes", "often", "usually", "some", "either", "talvez", "poderia",
    "poderiamos", "consideramos", "avaliamos", "pensamos", "pensando", "antigamente", "anteriormente", "originalmente", "era", "eram",
    "foi", "foram", "tinha", "tentamos", "proposta", "ideia", "temporariamente", "vezes", "geralmente", "algum", "alguns", "alguma",
    "algumas", "if", "unless", "except", "se", "exceto", "until", "ate", "ago", "yesterday", "ontem", "today", "hoje", "depends",
    "depende", "vs", "versus", "compared", "between", "entre", "failed", "falhou", "took", "levou",
];

/// Words that show that something was settled, whatever its tense.
pub(super) const SETTLED: &[&str] = &[
    "decided",
    "agreed",
    "decidido",
    "decidida",
    "decidimos",
    "combinado",
    "combinamos",
    "definido",
    "definimos",
];

/// Words after which only the reason follows.
#[rustfmt::skip]
pub(super) const REASONS: &[&str] =
    &["because", "since", "which", "so", "due", "otherwise", "thus", "therefore", "porque", "pois", "porquanto", "devido", "senao", "portanto", "but", "mas"];

/// Words that stand before what a sentence says and say nothing of it.
#[rustfmt::skip]
pub(super) const LABELS: &[&str] = &[
    "decision", "decisao", "lesson", "licao", "note", "nota", "gotcha", "rule", "regra", "preference", "preferencia", "fact", "fato",
    "context", "contexto", "important", "importante", "update", "reminder", "lembrete", "aviso",
];
