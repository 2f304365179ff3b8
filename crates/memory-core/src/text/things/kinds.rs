//! Things of software work by what they are. Names are what a question says, members what a memory says; both are in small
//! letters and without accents. A member of several words must stand there word by word.

/// What a sort of thing is called, and the things of that sort.
#[rustfmt::skip]
pub(super) const KINDS: &[(&[&str], &[&str])] = &[
    (&["database", "db", "dbms", "datastore", "data store", "banco de dados", "base de dados", "banco", "bd"], &[
        "postgres", "postgresql", "mysql", "mariadb", "sqlite", "mongodb", "mongo", "dynamodb", "cassandra", "scylladb",
        "cockroachdb", "couchdb", "couchbase", "firestore", "firebase", "supabase", "planetscale", "rds",
        "spanner", "redis", "clickhouse", "duckdb", "influxdb", "timescaledb", "neo4j", "rocksdb", "leveldb", "foundationdb",
        "tidb", "mssql", "sql server", "turso", "libsql", "rqlite", "cosmosdb", "elasticsearch",
    ]),
    (&["vector database", "vector store", "vector db", "banco vetorial"], &[
        "pgvector", "qdrant", "pinecone", "weaviate", "milvus", "chroma", "chromadb", "lancedb", "faiss", "vespa",
    ]),
    (&["data warehouse", "warehouse"], &["snowflake", "bigquery", "redshift", "databricks", "synapse", "clickhouse"]),
    (&["orm", "query builder", "data access layer"], &[
        "prisma", "drizzle", "typeorm", "sequelize", "kysely", "knex", "mikroorm", "sqlalchemy", "activerecord", "hibernate",
        "jpa", "doctrine", "eloquent", "diesel", "sqlx", "seaorm", "gorm", "dapper", "jooq", "peewee", "mongoose",
        "entity framework",
    ]),
    (&["migration tool", "schema migration"], &["flyway", "liquibase", "alembic", "goose", "refinery", "prisma"]),
    (&["cache", "caching", "cache layer", "camada de cache"], &["redis", "memcached", "valkey", "varnish", "keydb", "dragonfly", "hazelcast"]),
    (&["queue", "message queue", "message broker", "broker", "event bus", "event streaming", "messaging", "job queue", "fila",
       "fila de mensagens", "mensageria"], &[
        "kafka", "redpanda", "rabbitmq", "sqs", "sns", "nats", "pulsar", "activemq", "kinesis", "eventbridge", "sidekiq",
        "bullmq", "celery", "resque", "zeromq", "mqtt", "pubsub", "pub sub", "service bus",
    ]),
    (&["search engine", "full text search", "motor de busca", "busca textual"], &[
        "elasticsearch", "opensearch", "meilisearch", "typesense", "algolia", "solr", "sphinx", "tantivy", "lucene", "vespa",
    ]),
    (&["language", "programming language", "linguagem", "linguagem de programacao"], &[
        "rust", "golang", "python", "typescript", "javascript", "java", "kotlin", "swift", "ruby", "php", "elixir",
        "erlang", "scala", "clojure", "haskell", "ocaml", "dart", "zig", "perl", "lua", "csharp", "fsharp", "cobol", "julia",
        "groovy", "solidity", "fortran",
    ]),
    (&["frontend framework", "front end framework", "ui framework", "javascript framework", "js framework",
       "framework de frontend", "frontend stack"], &[
        "react", "vue", "svelte", "sveltekit", "angular", "solidjs", "preact", "nextjs", "next.js", "nuxt", "remix", "astro",
        "qwik", "htmx", "ember", "alpine",
    ]),
    (&["backend framework", "web framework", "server framework", "api framework", "framework de backend", "backend stack"], &[
        "express", "fastify", "nestjs", "hono", "koa", "fastapi", "django", "flask", "starlette", "rails", "sinatra", "laravel",
        "symfony", "spring", "spring boot", "quarkus", "micronaut", "axum", "actix", "rocket", "warp", "gin", 
        "phoenix", "asp.net", "ktor", 
    ]),
    (&["framework"], &[
        "react", "vue", "svelte", "sveltekit", "angular", "nextjs", "next.js", "nuxt", "remix", "astro", "express", "fastify",
        "nestjs", "fastapi", "django", "flask", "rails", "laravel", "symfony", "spring", "axum", "actix", "phoenix", "flutter",
        "electron", "tauri",
    ]),
    (&["mobile framework", "mobile stack", "app framework"], &[
        "flutter", "react native", "swiftui", "uikit", "jetpack compose", "expo", "ionic", "capacitor", "xamarin", "maui",
    ]),
    (&["desktop framework"], &["electron", "tauri", "qt", "gtk", "wpf", "winui", "avalonia"]),
    (&["css framework", "styling", "stylesheet", "estilos"], &[
        "tailwind", "tailwindcss", "bootstrap", "bulma", "sass", "scss", "styled components", "emotion",
        "css modules", "unocss", "postcss",
    ]),
    (&["component library", "ui library", "ui kit", "design system", "biblioteca de componentes"], &[
        "mui", "shadcn", "chakra", "radix", "antd", "ant design", "mantine", "headlessui", "primereact", "vuetify", "storybook",
    ]),
    (&["state management", "state library", "gerenciamento de estado"], &[
        "redux", "zustand", "mobx", "jotai", "recoil", "pinia", "vuex", "xstate", "rxjs", "tanstack",
    ]),
    (&["package manager", "dependency manager", "gerenciador de pacotes", "gestor de pacotes"], &[
        "npm", "pnpm", "yarn", "bun", "pip", "poetry", "uv", "pipenv", "conda", "cargo", "composer", "bundler", "nuget", "maven",
        "gradle", "brew", "homebrew", "pdm", "cocoapods", "mise",
    ]),
    (&["bundler", "bundling", "empacotador"], &["vite", "webpack", "rollup", "esbuild", "parcel", "turbopack", "rspack", "swc"]),
    (&["build system", "build tool", "ferramenta de build"], &[
        "cmake", "bazel", "gradle", "maven", "ninja", "meson", "sbt", "msbuild", "nx",
        "turborepo", "vite", "webpack", "esbuild",
    ]),
    (&["monorepo tool", "monorepo"], &["nx", "turborepo", "lerna", "bazel", ]),
    (&["test framework", "testing framework", "test runner", "testing library", "test library", "unit test", "unit tests",
       "framework de testes", "teste unitario", "testes unitarios"], &[
        "jest", "vitest", "mocha", "jasmine", "ava", "pytest", "unittest", "junit", "testng", "rspec", "minitest", "nextest",
        "xunit", "nunit", "phpunit", "gotest", "kotest", "exunit", "busted", "testify",
    ]),
    (&["e2e", "end to end", "e2e test", "browser test", "e2e framework", "ponta a ponta"], &[
        "cypress", "playwright", "selenium", "puppeteer", "webdriver", "testcafe", "nightwatch", "maestro", "detox", "appium",
    ]),
    (&["load test", "load testing", "teste de carga"], &["k6", "locust", "jmeter", "gatling", "wrk", "artillery", "vegeta"]),
    (&["linter", "lint", "linting", "static analysis", "analise estatica"], &[
        "eslint", "biome", "oxlint", "clippy", "ruff", "pylint", "flake8", "mypy", "pyright", "rubocop", "golangci", "sonarqube",
        "checkstyle", "detekt", "ktlint", "shellcheck", "stylelint", "semgrep", "phpstan",
    ]),
    (&["formatter", "code formatter", "code style", "formatting", "formatador", "formatacao"], &[
        "prettier", "rustfmt", "gofmt", "biome", "dprint", "clang format", "ruff", "autopep8", "yapf", "ktlint",
        "editorconfig",
    ]),
    (&["ci", "cicd", "ci cd", "ci/cd", "ci pipeline", "ci provider", "continuous integration", "build server", "pipeline",
       "integracao continua", "esteira"], &[
        "github actions", "gitlab ci", "jenkins", "circleci", "travis", "buildkite", "teamcity", "bamboo", "drone", "tekton",
        "azure pipelines", "azure devops", "codebuild", "bitrise", "woodpecker", "argocd", "concourse",
    ]),
    (&["deployment", "deploy tool", "deployment tool", "continuous delivery", "continuous deployment", "gitops",
       "ferramenta de deploy"], &[
        "argocd", "argo cd", "fluxcd", "flux", "spinnaker", "helm", "kustomize", "capistrano", "kamal", "octopus", "vercel",
        "netlify", "heroku", "railway", "dokku", "coolify", "github actions",
    ]),
    (&["hosting", "host provider", "hospedagem"], &[
        "vercel", "netlify", "heroku", "railway", "fly.io", "hetzner", "digitalocean", "linode", "ovh", "aws", "gcp",
        "azure", "cloudflare", "dokku", "github pages",
    ]),
    (&["cloud", "cloud provider", "cloud platform", "provedor de nuvem", "nuvem"], &[
        "aws", "gcp", "azure", "google cloud", "digitalocean", "hetzner", "oracle cloud", "oci", "ibm cloud", "scaleway", "linode",
        "rds", "s3", "ec2", "eks", "gke", "aks", "cloudflare",
    ]),
    (&["region", "cloud region", "aws region", "data center", "datacenter", "regiao"], &[
        "us-east-1", "us-east-2", "us-west-1", "us-west-2", "eu-west-1", "eu-west-2", "eu-west-3", "eu-central-1", "eu-north-1",
        "eu-south-1", "sa-east-1", "ap-south-1", "ap-southeast-1", "ap-southeast-2", "ap-northeast-1", "ca-central-1",
        "europe-west1", "europe-west3", "us-central1", "southamerica-east1", "westeurope", "eastus", "brazilsouth", "frankfurt",
        "virginia", "oregon", "ireland", "sao paulo",
    ]),
    (&["container", "containers", "container runtime", "conteiner"], &["docker", "podman", "containerd", "kubernetes", "k8s", "buildah", "lxc"]),
    (&["orchestration", "container orchestration", "orchestrator", "cluster", "orquestracao", "orquestrador"], &[
        "kubernetes", "k8s", "k3s", "eks", "gke", "aks", "ecs", "fargate", "nomad", "openshift", "swarm", "rancher",
    ]),
    (&["infrastructure as code", "iac", "provisioning", "configuration management", "infraestrutura como codigo"], &[
        "terraform", "opentofu", "pulumi", "cloudformation", "cdk", "ansible", "chef", "puppet", "saltstack", "crossplane", "bicep",
    ]),
    (&["serverless", "functions as a service", "faas"], &[
        "lambda", "cloud functions", "cloud run", "azure functions", "cloudflare workers", "vercel", "knative", "openfaas",
    ]),
    (&["object storage", "file storage", "blob storage", "bucket", "storage", "armazenamento"], &[
        "s3", "gcs", "minio", "r2", "backblaze", "azure blob", "ceph", "cloudinary", "wasabi", "efs",
    ]),
    (&["reverse proxy", "load balancer", "web server", "proxy", "ingress", "api gateway", "balanceador", "servidor web"], &[
        "nginx", "haproxy", "traefik", "envoy", "caddy", "apache", "alb", "elb", "nlb", "kong", "istio", "linkerd", "apigee",
        "cloudfront", "varnish", "squid",
    ]),
    (&["cdn"], &["cloudflare", "fastly", "cloudfront", "akamai", "bunny", "keycdn", "jsdelivr"]),
    (&["dns", "dns provider", "domain registrar", "registrar"], &["route53", "cloudflare", "namecheap", "godaddy", "gandi", "dnsimple", "porkbun"]),
    (&["tls", "certificate", "certificates", "certificado"], &["letsencrypt", "lets encrypt", "certbot", "acm", "cert manager"]),
    (&["monitoring", "metrics", "dashboard", "observability", "alerting", "monitoramento", "metricas", "observabilidade",
       "alertas"], &[
        "grafana", "prometheus", "datadog", "new relic", "zabbix", "nagios", "cloudwatch", "dynatrace", "honeycomb", "uptimerobot",
        "pagerduty", "opsgenie", "alertmanager", "opentelemetry", "otel", "appsignal", "statsd", "victoriametrics", "kibana",
    ]),
    (&["logging", "log aggregation", "logs", "log management", "registros de log"], &[
        "loki", "elk", "logstash", "kibana", "splunk", "papertrail", "fluentd", "fluentbit", "graylog", "cloudwatch",
        "datadog", "logtail", "betterstack", "sumologic", "log4j", "winston", "pino", "serilog",
    ]),
    (&["tracing", "distributed tracing", "rastreamento"], &["jaeger", "zipkin", "opentelemetry", "otel", "honeycomb", "xray", "datadog"]),
    (&["error tracking", "error tracker", "crash reporter", "bug tracking", "crash reporting", "error reporting", "crash reports", "error monitoring", "rastreamento de erros",
       "monitoramento de erros"], &[
        "sentry", "bugsnag", "rollbar", "crashlytics", "raygun", "airbrake", "honeybadger", "glitchtip",
    ]),
    (&["analytics", "product analytics", "web analytics", "analise de uso"], &[
        "posthog", "mixpanel", "amplitude", "ga4", "google analytics", "plausible", "matomo", "umami", "hotjar",
        "metabase", "looker",
    ]),
    (&["feature flag", "feature flags", "feature toggle", "feature toggles"], &[
        "launchdarkly", "unleash", "flagsmith", "growthbook", "configcat", "statsig", "flipper", "optimizely", 
    ]),
    (&["identity provider", "auth provider", "authentication provider", "idp", "sso", "single sign on", "authentication",
       "authorization", "auth", "login", "autenticacao", "autorizacao", "provedor de identidade"], &[
        "auth0", "okta", "keycloak", "cognito", "clerk", "oauth", "oauth2", "oidc", "saml", "jwt", "jwts", "ldap",
        "active directory", "azure ad", "kerberos", "passkey", "passkeys", "webauthn", "nextauth", "authjs", "passport",
        "supertokens", "ory", "workos", "firebase auth", "mfa", "2fa", "totp",
    ]),
    (&["secret manager", "secrets manager", "secret management", "secret store", "gerenciador de segredos", "cofre"], &[
        "vault", "doppler", "ssm", "infisical", "sops", "1password", "bitwarden", "sealed secrets", "kms", "keyvault",
    ]),
    (&["payment provider", "payment processor", "payment gateway", "payments", "payment", "billing provider", "pagamento",
       "pagamentos", "meio de pagamento", "gateway de pagamento"], &[
        "stripe", "paypal", "adyen", "braintree", "paddle", "chargebee", "recurly", "klarna", "mollie", "razorpay",
        "mercadopago", "mercado pago", "pagseguro", "pix", "boleto", "multibanco", "mbway", "lemonsqueezy", "sepa",
    ]),
    (&["email provider", "email service", "mail provider", "transactional email", "mailer", "provedor de email",
       "servico de email"], &[
        "sendgrid", "mailgun", "postmark", "ses", "resend", "mailchimp", "mandrill", "sparkpost", "brevo", "mailjet", "smtp", 
    ]),
    (&["sms provider", "sms"], &["twilio", "vonage", "messagebird", "plivo", "sinch", "zenvia"]),
    (&["chat tool", "team chat", "chat app"], &["slack", "microsoft teams", "discord", "mattermost", "zulip", "telegram", "whatsapp"]),
    (&["issue tracker", "ticketing", "ticket system", "bug tracker", "project management", "gestao de projetos"], &[
        "jira", "asana", "trello", "youtrack", "clickup", "basecamp", "redmine", "bugzilla",
        "github issues", "zendesk", "intercom", "freshdesk",
    ]),
    (&["wiki", "knowledge base", "documentation tool", "base de conhecimento"], &[
        "confluence", "notion", "gitbook", "docusaurus", "mkdocs", "obsidian", "readme.io", "bookstack", "sphinx", "mdbook",
    ]),
    (&["design tool", "mockups", "design file", "ferramenta de design"], &["figma", "sketch", "adobe xd", "invision", "penpot", "zeplin", "balsamiq"]),
    (&["version control", "git host", "git hosting", "code hosting", "source control", "controle de versao"], &[
        "git", "github", "gitlab", "bitbucket", "gitea", "forgejo", "mercurial", "subversion", "svn", "jj", "gerrit", "codeberg",
    ]),
    (&["editor", "code editor", "ide", "text editor", "editor de codigo"], &[
        "vscode", "vs code", "visual studio code", "vim", "neovim", "nvim", "emacs", "intellij", "webstorm", "pycharm", "rider", "goland",
        "rustrover", "clion", "xcode", "android studio", "sublime", "zed", "cursor", "eclipse", "jetbrains", "windsurf",
    ]),
    (&["coding agent", "ai assistant", "ai agent", "coding assistant", "assistente de codigo"], &[
        "claude", "claude code", "codex", "cursor", "copilot", "aider", "cline", "gemini", "windsurf", "opencode", "devin",
    ]),
    (&["llm", "language model", "ai model", "modelo de linguagem"], &[
        "gpt", "claude", "gemini", "llama", "mistral", "qwen", "deepseek", "openai", "anthropic", "ollama", "bedrock", "vllm",
        "sonnet", "opus", "haiku", "cohere", "groq",
    ]),
    (&["embedding model", "embeddings", "embedding"], &["minilm", "bge", "voyage", "cohere", "nomic", "gte", "sbert"]),
    (&["os", "operating system", "sistema operacional", "sistema operativo"], &[
        "linux", "ubuntu", "debian", "fedora", "alpine", "rhel", "centos", "nixos", "macos", "windows", "freebsd", "rocky", "ios",
        "android", "wsl",
    ]),
    (&["shell", "terminal"], &["bash", "zsh", "powershell", "nushell", "tmux", "iterm", "alacritty", "wezterm", "ghostty"]),
    (&["browser", "navegador"], &["chrome", "chromium", "firefox", "safari", "microsoft edge", "webkit"]),
    (&["license", "licence", "licenca"], &["mit", "apache", "gpl", "agpl", "lgpl", "bsd", "mpl", "isc", "unlicense", "bsl"]),
    (&["regulation", "regulations", "compliance", "privacy law", "data protection", "privacy", "conformidade", "lei de privacidade",
       "protecao de dados"], &[
        "gdpr", "lgpd", "ccpa", "hipaa", "soc2", "soc 2", "iso 27001", "pci", "pci dss", "ferpa", "dora", "nis2", "rgpd", "coppa",
    ]),
    (&["timezone", "time zone", "fuso horario"], &["utc", "gmt", "cet", "cest", "pst", "brt", "europe/lisbon", "america/sao_paulo"]),
    (&["api style", "api protocol", "rpc", "wire protocol"], &["rest api", "graphql", "grpc", "trpc", "soap", "websocket", "websockets", "openapi", "jsonrpc", "thrift"]),
    (&["serialization", "data format", "wire format", "file format", "serializacao"], &[
        "json", "protobuf", "avro", "yaml", "toml", "parquet", "msgpack", "cbor", "xml", "csv", "bincode", "capnproto", "flatbuffers",
    ]),
    (&["workflow engine", "workflow orchestrator", "scheduler", "job scheduler", "etl", "agendador"], &[
        "airflow", "dagster", "prefect", "temporal", "cron", "luigi", "argo workflows", "step functions", "quartz", "hangfire", "sidekiq",
        "celery", "dbt", "fivetran", "airbyte", "n8n", "inngest",
    ]),
    (&["cms", "content management", "headless cms"], &["wordpress", "contentful", "strapi", "drupal", "prismic", "directus", "storyblok"]),
    // No database: longer names are taken before the shorter ones that they hold.
    (&["banco central"], &[]),
    (&["localization platform", "translation", "translations", "translation platform", "traducao", "plataforma de traducao"], &[
        "lokalise", "crowdin", "transifex", "weblate", "poeditor", "phrase app", "locize",
    ]),
    (&["crm"], &["salesforce", "hubspot", "pipedrive", "zoho", ]),
    (&["e commerce platform", "ecommerce", "shop platform", "loja virtual"], &["shopify", "woocommerce", "magento", "medusa", "bigcommerce", "vtex", "nuvemshop"]),
    (&["ml framework", "machine learning framework", "deep learning"], &["pytorch", "tensorflow", "keras", "jax", "scikit", "xgboost", "lightgbm", "onnx", "mlx", "candle"]),
    (&["game engine", "motor de jogo"], &["unity", "unreal", "godot", "bevy", "phaser"]),
];
