//! The table of cues. Apostrophes are left out as in the folded form; accents may stand, so that words read well.

use super::Class;

#[rustfmt::skip]
pub(super) const CUES: &[(Class, &[&str])] = &[
    (Class::Decide, &[
        "we decided", "weve decided", "we have decided", "we had decided", "we already decided", "i decided",
        "ive decided", "i have decided", "team decided", "was decided", "been decided", "its decided", "^decided to",
        "^decided against", "^decided on", "^decided that", "^decided not", "we agreed to", "we agreed on",
        "we agreed that", "weve agreed", "we all agreed", "we settled on", "we settled for", "weve settled",
        "i settled on", "^settled on", "we chose", "weve chosen", "we have chosen", "i chose", "^chose",
        "we went with", "we went for", "i went with", "i went for", "^went with", "^went for", "we opted", "i opted",
        "^opted for", "were going with", "we are going with", "we will go with", "well go with", "ill go with",
        "im going with", "i will go with", "^going with", "^sticking with", "well stick with", "we stick with",
        "ill stick with", "were sticking with", "im sticking with", "well stick to", "the decision is", "the decision was", "decision is to", "decision was to",
        "final decision", "our decision", "we picked", "i picked", "we will use", "well use", "were using", "we are going to use",
        "were going to use", "we will not use", "we wont use", "were not going to", "we are not going to",
        "were not using", "were dropping", "we are dropping", "were switching to", "we are switching to", "were moving to",
        "were standardizing on", "we standardize on", "we standardise on", "we concluded that", "^conclusion", "well keep using",
        "we will keep using", "we ended up using", "i ended up using", "we ended up going", "we rejected", "we ruled out",
        "ruling out", "i ruled out", "we adopted", "were adopting",
        "decidimos", "decidiu se", "foi decidido", "ficou decidido", "está decidido", "tá decidido", "^decidi", "eu decidi",
        "a decisão foi", "a decisão é", "decisão tomada", "decisão final", "optamos", "optei", "optou se", "^optado",
        "escolhemos", "escolhi", "adotamos", "adoptamos", "adotámos", "vamos usar", "vamos utilizar", "vamos com o",
        "vamos com a", "vamos de", "vamos manter", "vamos ficar com", "vamos adotar", "vamos seguir com", "bora de", "bora usar",
        "ficamos com", "ficámos com", "ficou definido", "ficou acordado", "ficou combinado que", "combinamos que",
        "combinamos de", "combinámos", "concordamos em", "definimos que", "acabei por usar", "acabámos por", "acabamos por usar",
        "passamos a", "passámos a usar", "a gente vai usar", "a gente decidiu", "a equipa decidiu", "o time decidiu", "a equipe decidiu",
        "não vamos usar", "não vamos utilizar", "desistimos de", "descartamos", "descartámos", "seguimos com",
        "fechamos com", "fechámos com", "fechamos em", "mantemos", "mudamos para", "mudámos para", "migramos para", "trocamos para", "só usamos",
    ]),
    (Class::Settle, &[
        "lets use", "lets go with", "lets go for", "lets do", "lets keep", "lets stick", "lets drop", "lets switch", "lets not",
        "lets replace", "lets move", "lets have", "lets make", "lets put", "lets cache", "lets just", "lets run", "lets start with", "lets add", "lets store",
        "lets stay with", "lets avoid", "lets remove", "lets skip", "lets split", "lets leave", "lets try", "lets set", "lets write", "lets build", "lets pick", "lets call", "lets never",
        "go with", "^go for", "it is then", "it is $", "then $", "for now", "we keep", "we use", "well write", "well do", "well have", "well keep", "well run", "well put", "well store", "well call", "well move",
        "well drop", "well leave", "we will", "were doing", "do that instead", "instead $", "is fine $", "from here on", "no more", "not anymore", "keeps", "stays", "by default",
        "fechou", "fica com", "fica o", "fica a", "fica assim", "por enquanto", "por agora", "mantém", "então $", "em vez de", "em vez disso", "deixa o", "deixa a", "fica decidido",
        "usamos", "a gente usa", "tudo pra", "nos dois",
    ]),
    (Class::Order, &[
        "^use", "^go with", "^keep", "^stick with", "^stick to", "^leave", "^switch to", "^replace", "^drop", "^skip", "^no", "^only", "^prefer", "^avoid", "^stay with", "^stay on",
        "^usa", "^usem", "^usar", "^mantém", "^mantenha", "^manter", "^deixa", "^deixe", "^troca", "^troque", "^fica com", "^fique com", "^não usa", "^não use", "^não uses", "^nada de", "^sem", "^só", "^apenas", "^evita", "^evite",
    ]),
    (Class::Tell, &[
        "^move", "^put", "^pass", "^give", "^make", "^run", "^store", "^cut", "^pick", "^cache", "^add", "^set", "^rewrite", "^cap", "^split", "^follow", "^let", "^do not", "^dont", "^never", "^switch", "^change", "^wrap", "^return", "^treat", "^turn", "^remove", "^delete", "^separate", "^merge", "^limit", "^retry", "^write", "^build", "^start", "^stop", "^allow", "^require", "^call", "^name", "^rename", "^pin", "^ship",
        "^tira", "^remove", "^põe", "^coloca", "^coloque", "^bota", "^injeta", "^reescreve", "^reescreva", "^responde", "^responda", "^muda", "^mude", "^passa", "^move", "^guarda", "^migra", "^migre", "^toda", "^todo", "^todos", "^todas", "^apaga", "^descarta", "^separa", "^divide", "^define", "^faz", "^faça", "^cria", "^roda", "^corre", "^limita", "^não",
    ]),
    (Class::Choose, &[
        "ill use", "i will use", "i used", "im using", "i kept", "i replaced", "i set", "i implemented", "i switched", "i made", "i put", "i built", "i picked", "^using", "^used", "^kept",
        "vou usar", "vou utilizar", "usei", "utilizei", "mantive", "troquei", "substituí", "preferi", "implementei", "^uso", "fiz com",
    ]),
    (Class::Against, &[
        "not", "dont", "wont", "no", "never", "against", "drop", "dropping", "reject", "rejected", "ruled out", "avoid", "scrap", "skip", "without",
        "não", "nunca", "nada de", "sem", "descartamos", "desistimos", "esquece", "esqueça", "tira",
    ]),
    (Class::Reason, &[
        "because", "since", "so that", "given that", "due to", "as it", "the reason", "otherwise", "to avoid", "so we", "so it", "so users", "so callers", "which means", "that way", "in order to",
        "porque", "pois", "já que", "uma vez que", "visto que", "para que", "pra que", "por causa", "dado que", "assim", "senão", "para não", "pra não", "para evitar", "pra evitar",
    ]),
    (Class::Lesson, &[
        "turns out", "turned out", "turn out", "the problem was", "the issue was", "the bug was", "the culprit", "the real problem", "the real issue", "the actual problem", "the problem is that",
        "the underlying issue", "the underlying problem", "the underlying cause", "root cause", "the cause was", "the cause is", "it was caused by", "is caused by", "was caused by", "were caused by", "caused by the",
        "we learned", "i learned", "weve learned", "we learnt", "lesson learned", "lessons learned", "the lesson", "learned that", "learned not", "learned the hard way", "takeaway",
        "gotcha", "pitfall", "watch out", "beware", "caveat", "^careful", "be careful", "^caution", "careful with", "only works if", "only works when", "only works with", "works only if", "works only when", "doesnt work unless",
        "does not work unless", "wont work unless", "fails unless", "fails silently", "silently", "the trick is", "the trick was", "the fix was", "workaround is", "the workaround", "one surprise",
        "surprisingly", "to my surprise", "the catch", "one catch", "thats why", "which is why", "this is why", "that explains", "thats because", "this is because", "it is because", "thats what caused", "the reason is that", "the reason was",
        "bites you", "bit us", "bit me", "cost me", "cost us", "i was wrong", "keep in mind", "important to know", "worth knowing", "worth noting", "good to know", "only supports", "only supported", "doesnt support", "does not support", "not supported until", "not thread safe",
        "ships without", "must come before", "must be called before", "has to be called before", "has to be the last", "has to be last", "has to be first", "must be the last", "must be last", "is not idempotent", "boiled down to", "came down to", "comes down to", "stems from", "stemmed from", "traced it to", "traced it back", "traced back to", "tracked it down", "note that", "undocumented", "breaks if", "breaks when", "breaks because", "break each other", "quirk", "the mistake was", "my mistake was", "never again", "the hard way",
        "o problema era", "o problema é que", "o problema foi", "o problema está", "o erro era", "o erro foi", "o bug era", "o culpado", "a culpa era", "a causa era", "a causa é", "a causa foi", "causa raiz", "a raiz do problema", "a origem do problema",
        "descobrimos que", "descobri que", "descobrimos", "aprendemos", "aprendi que", "aprendizado", "lição", "afinal era", "afinal o", "na verdade era", "o que acontece é que", "o motivo é", "o motivo era", "a razão é", "a razão era", "isso acontece porque", "isto acontece porque",
        "acontece porque", "pegadinha", "armadilha", "cuidado com", "^cuidado", "^atenção", "mas atenção", "atenção a", "atenção ao", "atenção que", "fica atento", "só funciona se", "só funciona com", "só funciona quando", "não funciona se", "só suporta", "não suporta", "silenciosamente", "sem avisar",
        "um detalhe que", "custou me", "me custou", "o truque", "ou seja não", "não era", "é por isso que", "por isso é que", "foi causado", "era causado", "é causado", "causado por", "nota que", "note que", "repara que", "tenha em mente", "tem em mente", "importante saber", "vale lembrar que", "vale notar", "bom saber", 
    ]),
    (Class::Found, &[
        "^found it", "^found the", "^got it figured", "^mystery solved", "^here is what happened", "^heres what happened", "^heres why", "^here is why", "^reproduced", "^figured it out", "^i see the problem", "^i see the issue", "^i found the", "^there it is", "^two causes", "^the explanation", "^explanation",
        "^achei", "^achei a causa", "^encontrei", "^encontrei a causa", "^descobri", "^reproduzi", "^percebi", "^já percebi", "^está aqui", "^há duas razões", "^a explicação", "^explicação", "^não era",
    ]),
    (Class::Trouble, &[
        "fail", "fails", "failed", "failing", "failure", "error", "errors", "timeout", "timeouts", "times out", "timed out", "crash", "crashes", "crashed", "broken", "breaks", "broke", "break", "leak", "leaks", "leaked", "slow", "stuck", "lost", "loses", "missing", "wrong", "deadlock", "deadlocks", "flaky", "race", "starve", "starves", "starved",
        "killed", "kills", "hang", "hangs", "hung", "duplicate", "duplicates", "duplicated", "rejected", "rejects", "stale", "corrupt", "corrupted", "overflow", "overwrites", "overwritten", "invalid", "nan", "panics", "panicked", "bug", "bugs", "unreadable", "fires", "refetches", "blocked", "blocks", "never", "nobody", "no longer", "cant", "cannot", "doesnt", "isnt", "dont", "differ", "differs", "drift", "skew", "mismatch", "orphan", "expired", "expires", "complains", "conflicts", "clash", "clashes", "drops", "dropped", "ignored", "ignores", "twice", "forever", "different",
        "falha", "falham", "falhou", "falhava", "falhar", "erro", "erros", "quebra", "quebrou", "quebrava", "trava", "travou", "travava", "travado", "lento", "lenta", "perde", "perdem", "perdeu", "errado", "errada", "órfã", "órfão", "duplicado", "duplicados", "duplicada", "bloqueia", "bloqueado", "invalida", "inválido", "não consegue", "não", "vazamento", "estoura", "estourava", "demora", "demorava", "tarde", "sumiu", "some", "corrompe", "corrompido", "diferença", "diferente", "apaga", "apagaria", "timeout", "expirou", "expira", "falta", "sem",
    ]),
    (Class::Cause, &[
        "because", "caused", "causes", "causing", "so the", "so it", "so no", "so every", "so any", "so under", "so they", "so a", "so each", "so ten", "so tests", "so that", "means that", "which means", "which breaks", "which made", "which makes", "makes it", "due to", "as a result", "the order of", "leads to", "led to", "results in", "hence", "therefore", "while holding", "is off by", "has its own", "instead of",
        "porque", "por causa", "pois", "então", "por isso", "portanto", "faz com que", "o que faz", "o que complica", "devido", "já que", "enquanto", "em vez de", "ou seja", "leva a", "resulta em", "causa", "o que quebra", "daí",
    ]),
    (Class::Fix, &[
        "fix", "fixes", "fixed", "solves", "solved", "avoids", "resolves", "resolved", "helps", "instead", "the solution", "get around", "works around", "with", "use", "opening", "wrapping", "so i",
        "resolve", "resolveu", "corrige", "corrigi", "evita", "a solução", "solução", "basta", "bate", "estabiliza", "tem que", "é preciso", "precisam",
    ]),
    (Class::Task, &[
        "next we need to", "next well need to", "next we have to", "next we should", "next step is", "the next step", "next steps are", "next up", "we still need", "we still have to", "we still must", "still need to", "still needs to", "still have to", "still has to", "still needs", "still open", "still missing", "still to do", "still todo", "still pending", "still outstanding",
        "remaining is", "whats left", "what is left", "what remains", "whats missing", "left to do", "remains to be", "remains open", "yet to be", "not yet implemented", "dont yet", "not done yet", "we need to follow up", "follow up on", "as a follow up", "to be done", "is pending", "are pending", "somebody has to", "someone has to", "someone needs to", "somebody needs to", "needs to be done", "before the release we", "before we ship", "before launch we", "before merging we", "we also need to", "we will need to", "well need to", "later we need", "we have yet to", "todo later", "has no tests yet", "action item",
        "falta", "faltam", "ainda falta", "ainda faltam", "fica por fazer", "ficou por fazer", "por fazer", "fica pendente", "ficou pendente", "ficou faltando", "está pendente", "^pendente", "pendente só", "próximo passo", "próximos passos", "resta", "restam", "ainda precisamos", "ainda temos que", "ainda temos de", "ainda tem que", "ainda é preciso", "ainda há que", "por resolver", "depois precisamos", "depois temos que", "depois temos de", "a seguir precisamos", "a seguir temos", "em seguida precisamos", "precisamos ainda", "temos ainda que", "temos ainda de", "fica para depois", "deixar para depois",
    ]),
    (Class::Remind, &[
        "dont forget to", "do not forget to", "remember to", "remind me", "reminder to", "make sure we", "we mustnt forget to", "lets not forget to", "note to self", "need to come back to",
        "não esquecer de", "não te esqueças de", "não esqueça de", "não esquece de", "não se esqueça de", "lembra de", "lembre de", "lembre se de", "lembrar de", "lembra te de", "me lembra de", "lembra me de", "não podemos esquecer de", "temos de lembrar de",
    ]),
    (Class::Fact, &[
        "remember that", "remember this", "^remember", "please remember", "keep in mind that", "bear in mind", "dont forget that", "do not forget that", "for the record", "for future reference", "for your information", "^fyi", "take note", "note this down", "make a note", "write this down", "remember we", "remember the", "just so you know", "for context",
        "lembre se que", "lembre se de que", "lembre que", "lembra que", "lembra te que", "lembra te de que", "lembrem que", "lembre se", "anota aí", "anota que", "anote que", "anote aí", "anota isso", "anota isto", "toma nota", "tome nota", "guarda isso", "guarda isto", "guarda que", "guarde que", "guarde isso", "não te esqueças que", "não esqueça que", "não esquece que", "não se esqueça que", "não se esqueça de que", "para que saibas", "para registo", "para registro", "só para saberes", "fica sabendo", "pra constar", "tem em conta que", "tenha em conta", "leva em conta que",
    ]),
    (Class::Prefer, &[
        "i prefer", "i would prefer", "id prefer", "id rather", "i would rather", "i rather", "i like it when", "i like to", "i dont like", "i do not like", "i hate", "i cant stand", "my preference", "i always want", "i never want", "i want you to", "i dont want you", "i would like you to", "id like you to", "please dont", "please do not", "please never", "please always", "please stop", "dont ever", "stop adding", "stop using", "stop doing", "stop writing", "again please", "the user prefers", "user prefers", "you prefer", "we prefer", "i expect you",
        "prefiro", "eu prefiro", "preferia", "eu preferia", "gosto mais", "não gosto", "eu gosto de", "gosto que", "detesto", "odeio", "minha preferência", "quero que", "não quero que", "queria que", "por favor não", "por favor nunca", "por favor sempre", "para de", "pare de", "o utilizador prefere", "o usuário prefere", "preferimos",
    ]),
    (Class::Rule, &[
        "always use", "always write", "always run", "always ask", "always answer", "always add", "always put", "always keep", "always include", "always check", "^always", "never use", "never add", "never commit", "never push", "never touch", "never write", "never run", "never put", "never change", "^never", "lets never", "lets always", "from now on", "going forward", "in future", "in the future", "every time you", "whenever you", "each time you", "when you write", "when you commit", "before you touch", "before you change", "before you commit", "tell me before", "ask me before", "ask before", "again $", "in this repo", "without asking",
        "sempre use", "use sempre", "usa sempre", "^sempre", "sempre que", "corre sempre", "roda sempre", "rode sempre", "faz sempre", "faça sempre", "escreve sempre", "escreva sempre", "põe sempre", "coloque sempre", "responde sempre", "responda sempre", "usamos sempre", "nunca use", "nunca uses", "nunca usa", "^nunca", "e nunca", "nunca faças", "nunca faça", "nunca coloque", "nunca ponhas", "nunca coloca", "nunca mexas", "nunca mexa", "não mudes", "não mexas", "não mexa", "a partir de agora", "daqui em diante", "daqui para a frente", "daqui pra frente", "de agora em diante", "doravante", "toda vez que", "todas as vezes que", "cada vez que", "antes de mexer", "sem me perguntar", "sem perguntar", "de novo $", "outra vez $",
    ]),
    (Class::Hedge, &[
        "maybe", "perhaps", "might", "possibly", "probably", "not sure", "unsure", "i guess", "i suppose", "i wonder", "thinking about", "thinking of", "im thinking", "considering", "we should consider", "lean towards", "leaning towards", "could be", "may be", "how about", "what about", "what if", "id suggest", "i would suggest", "i suggest", "i recommend", "id recommend", "my recommendation", "recommend", "one option", "another option", "an option", "alternatively", "in general", "usually", "typically", "in theory", "or maybe", "tempted", "toying with", "we should", "you should", "worth considering", "hypothetically", "i think", "possible", "eventually", "someday", "at some point we",
        "talvez", "quem sabe", "acho que", "penso que", "creio que", "parece me", "pode ser", "poderia", "poderíamos", "podíamos", "podemos", "seria", "deveríamos", "devíamos", "a gente devesse", "devesse", "não sei se", "não tenho certeza", "não tenho a certeza", "estou a pensar", "estamos a pensar", "estamos pensando", "tô pensando", "estou pensando", "a pensar em", "pensando em", "que tal", "outra opção", "uma opção", "sugiro", "sugeria", "recomendo", "recomendaria", "proponho", "em geral", "normalmente", "provavelmente", "possivelmente", "eventualmente", "imagino", "quiçá", "se calhar",
    ]),
    (Class::Undecided, &[
        "not decided", "havent decided", "have not decided", "hasnt decided", "havent we decided", "didnt decide", "did not decide", "yet to decide", "need to decide", "have to decide", "must decide", "to be decided", "tbd", "undecided", "cant decide", "before we decide", "until we decide", "once we decide", "when we decide", "what we decided", "did we decide", "who decided", "why we decided", "if we decided", "why we chose", "still open question", "up to you", "you decide", "your call", "its not decided", "going back and forth", "had we decided", "forgot what we decided", "as we decided", "like we decided", "as decided",
        "não decidimos", "não decidi", "não está decidido", "não foi decidido", "não tá decidido", "ainda não decidimos", "precisamos decidir", "precisamos definir", "temos que decidir", "temos de decidir", "falta decidir", "a decidir", "por decidir", "o que decidimos", "porque decidimos", "quem decidiu", "se decidirmos", "quando decidirmos", "tu decides", "você decide", "como decidimos", "não optamos",
    ]),
    (Class::Would, &[
        "^if", "if we", "if you", "if i", "would", "wouldnt", "could", "couldnt", "were to", "unless we", "suppose we", "assuming we", "in case we", "should we", "had we",
        "^se", "se a gente", "se nós", "se usássemos", "se fosse", "se quiser", "se quiseres", "se quiserem", "seria", "teria", "teríamos", "daria", "ficaria", "perderíamos", "usaríamos", "faríamos", "precisaríamos", "caso a gente", "caso queira", "e se", "suponha", "suponhamos", "eu diria",
    ]),
    (Class::Ask, &[
        "^should we", "^should i", "^should", "^shall", "^what", "^whats", "^which", "^why", "^how", "^where", "^when do", "^who", "^can you", "^could you", "^would you", "^can we", "^could we", "^do you", "^do we", "^does", "^did", "^is it", "^is there", "^are there", "^are we", "^have we", "^any idea", "^want me to", "^what if", "^how about", "^would it", "^isnt", "^arent", "^dont you", "^shouldnt we",
        "^o que", "^qual", "^quais", "^porque é que", "^por que", "^como é que", "^como", "^onde", "^quando é que", "^quem", "^podes", "^pode me", "^consegues", "^consegue", "^devemos", "^devo", "^será que", "^e se", "^que tal", "^há algum", "^tem como", "^dá para", "^dá pra", "^queres que", "^quer que", "^você quer", "^posso", "^podemos", "^não seria", "^não era melhor",
    ]),
    (Class::Aloud, &[
        "^let me", "^ill", "^i will", "^now ill", "^now i", "^now let", "^next ill", "^next i", "^first ill", "^first i", "^i need to", "^i should", "^i have to", "^i must", "^im going to", "^i am going to", "^im thinking", "^im checking", "^im looking", "^im also", "^looking at", "^checking", "^reading", "^searching", "^running", "^fetching", "^setting up", "^adding", "^writing", "^updating", "^the user seems", "^the user wants", "^the user is", "^hmm", "^ok so", "^lets see", "^lets check", "^lets look", "^lets take a look", "^lets start", "^lets run the", "^time to", "^trying", "^starting", "^moving on", "^before i",
        "^vou", "^agora vou", "^deixa eu", "^deixa me", "^deixe me", "^preciso", "^tenho que", "^tenho de", "^a analisar", "^a verificar", "^a ler", "^analisando", "^verificando", "^lendo", "^procurando", "^olhando", "^primeiro vou", "^depois vou", "^em seguida vou", "^começo", "^vamos ver", "^vamos verificar", "^vamos começar", "^agora", "^posso",
    ]),
    (Class::Report, &[
        "^i updated", "^i added", "^i changed", "^i moved", "^i removed", "^i created", "^i fixed", "^i wrote", "^i ran", "^i renamed", "^i set", "^i put", "^i made", "^i enabled", "^i disabled", "^i replaced", "^i switched", "^i reverted", "^i implemented", "^i refactored", "^i excluded", "^i converted", "^i checked", "^i tested", "^ive", "^i have", "^done", "^implemented", "^added", "^fixed", "^changed", "^removed", "^updated", "^moved", "^created", "^switched", "^swapped", "^documented", "^dropped", "^converted", "^all tests", "^tests pass", "^the tests", "^wrote", "^reverted", "^recorded", "^noted", "^written", "^excluded", "^renamed", "^everything", "^understood", "^got it", "^sorry",
        "^feito", "^adicionei", "^acrescentei", "^alterei", "^alterado", "^criei", "^atualizei", "^actualizei", "^corrigi", "^movi", "^removi", "^escrevi", "^escrito", "^implementei", "^implementado", "^instalei", "^troquei", "^trocado", "^migrei", "^migrado", "^apaguei", "^apagado", "^reescrito", "^testei", "^pronto", "^está feito", "^registado", "^registrado", "^anotado", "^guardado", "^os testes", "^todos os testes", "^preparei", "^agendei", "^mudei", "^renomeei", "^combinado", "^entendido",
    ]),
    (Class::Reverse, &[
        "scrap", "scratch that", "on second thought", "on second thoughts", "never mind", "nevermind", "forget about", "forget the", "forget that", "^forget it", "hang on", "hold on", "changed my mind", "change of plan", "change of plans", "undo that", "revert that", "go back to", "going back to", "actually lets not", "actually no", "no wait", "wait no", "lets not do", "cancel that", "i take that back", "thats dead", "instead of what",
        "esquece", "esqueça", "esqueçam", "na verdade não", "pensando melhor", "mudei de ideia", "mudei de ideias", "mudámos de ideias", "mudamos de ideia", "deixa pra lá", "deixa lá", "deixa estar", "volta atrás", "voltar atrás", "cancela", "afinal não", "melhor não", "não vai ser preciso", "mudança de planos", "volta pro", "volta para o", "já não",
    ]),
    (Class::Others, &[
        "they decided", "they chose", "they went with", "they agreed", "he decided", "she decided", "he chose", "she chose", "who decided", "others chose", "others decided", "most teams", "other teams", "some teams", "many teams", "some people", "most people", "maintainers decided", "the maintainer", "the maintainers", "the author", "the authors", "the article", "the docs say", "the log says", "the log also says", "according to", "the reporter", "the issue says", "wrote in", "he said", "she said", "they said", "says that", "he wrote", "she wrote", "customers usually",
        "eles decidiram", "ele decidiu", "ela decidiu", "decidiram", "eles optaram", "outros escolheram", "a maioria", "segundo o", "segundo a", "de acordo com", "o autor", "o artigo", "ele disse", "ela disse", "eles disseram", "ele escreveu", "diz que", "algumas equipas", "muitas equipas", "muitos times",
    ]),
    (Class::Propose, &[
        "id suggest", "i suggest", "i would suggest", "my suggestion", "i recommend", "id recommend", "i would recommend", "my recommendation", "i propose", "id propose", "id go with", "i would go with", "id use", "i would use", "id make", "id return", "id keep", "i would keep", "the best option", "id pick", "id choose", "lets go with",
        "sugiro", "eu sugiro", "recomendo", "eu recomendo", "proponho", "eu usaria", "eu iria de", "eu iria com", "a melhor opção", "eu faria", "eu manteria",
    ]),
    (Class::Options, &[
        "options", "two ways", "three ways", "two approaches", "three approaches", "alternatives", "either", "a few options", "pros", "cons", "choices", "one option", "another option", "the other option", "tradeoffs", "common ways", "both work",
        "opções", "duas formas", "três formas", "duas alternativas", "alternativas", "duas opções", "três opções", "duas maneiras", "prós", "outra opção", "as duas formas", "qualquer um serve",
    ]),
    (Class::Choice, &[
        "or", "^which", "which one", "which of", "^shall i", "^should i", "^should we", "^should", "should it", "should events", "do you want", "^want me", "would you like", "would you prefer", "do you prefer", "what do you prefer", "^shall we", "how long do", "what should",
        "ou", "^qual", "qual delas", "qual dos", "qual das", "quer que", "queres que", "prefere", "preferes", "devo", "devemos", "^posso",
    ]),
    (Class::Accept, &[
        "^yes", "^yep", "^yeah", "^agreed", "^ok", "^okay", "^sure", "^sounds good", "^go ahead", "^do it", "^do that", "^lets do it", "^lets do that", "^make it so", "^perfect", "^works for me", "^fine by me", "^i agree", "^good idea", "^exactly", "^please do", "^great", "^go for it", "^ship it", "^approved", "^fine", "^lgtm",
        "^sim", "^claro", "^pode", "^pode ser", "^concordo", "^combinado", "^fechado", "^fechou", "^beleza", "^isso", "^isso mesmo", "^bora", "^vamos", "^faz isso", "^faça isso", "^manda ver", "^de acordo", "^ótimo", "^boa", "^perfeito", "^pode fazer", "^força", "^avança", "^tá bom", "^está bem", "^certo", "^aprovado",
    ]),
    (Class::Place, &[
        "lives in", "live in", "is defined in", "are defined in", "entry point is", "the entry point", "is implemented in", "vive em", "vivem em", "mora em", "está definido em", "ponto de entrada",
    ]),
    (Class::DecisionsTitle, &[
        "^decisions", "decisions $", "^decision $", "what we decided", "decided $", "^agreed $", "^we agreed", "^we decided", "key decisions", "decisões", "^decisão $", "decidimos $", "^o que decidimos",
    ]),
    (Class::LessonsTitle, &[
        "lessons", "gotchas", "^gotcha", "^root cause", "root cause $", "^cause $", "why it happens", "why it happened", "why this happens", "what went wrong", "caveats", "^caveat", "pitfalls", "learnings", "what we learned", "what i learned", "watch out for", "things to watch", "lições", "aprendizados", "aprendizagens", "o que aprendemos", "causa raiz", "^causa $", "cuidados", "armadilhas", "pegadinhas", "porque acontece", "por que acontece", "o que correu mal", "o que deu errado",
    ]),
    (Class::TasksTitle, &[
        "^todo", "^todos", "to do $", "left to do", "next steps", "^next step", "^next $", "whats next", "what is next", "open points", "open items", "open tasks", "^open $", "open questions and tasks", "^remaining", "remaining work", "^not done", "not yet done", "still open", "still to do", "action items", "follow ups", "^follow up", "^pending", "pending $", "outstanding", "whats left", "what is left", "^backlog", "próximos passos", "próximo passo $", "pendente", "pendentes", "pendências", "por fazer", "^falta", "^faltam", "^tarefas", "a fazer $", "^em aberto", "o que falta", "^ainda falta", "^ainda faltam",
    ]),
    (Class::OptionsTitle, &[
        "options", "^option", "alternatives", "^alternative", "approaches", "pros", "cons", "trade offs", "tradeoffs", "possible", "ideas", "proposals", "^questions", "open questions", "opções", "^opção", "alternativas", "prós", "contras", "possíveis", "ideias", "propostas", "^questões", "perguntas", "considered", "rejected",
    ]),
];
