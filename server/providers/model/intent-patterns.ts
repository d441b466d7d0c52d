/**
 * Patterns over folded text (lowercase, no accents, one space between words) for what callers say
 * in many ways: agreeing, declining, leaving a message at once, insulting, and calling for help. A
 * catalogue: each language has the same entries.
 */
import type { Language } from './language.ts'

export interface IntentPatterns {
  /** One of these words agrees. */
  assent: string
  /** One of these declines, alone or with other words. */
  refusal: string
  /** Begins an answer that agrees, or declines, whatever follows. */
  plain_yes: string
  plain_no: string
  /** What people say around a yes or a no. */
  around: string
  /** Turns an answer into something else: "yes, but …". */
  contrast: string
  /** Asks to tell something to somebody else, or to note it. */
  pass_on: string
  /** Something the business must know, said without asking to pass it on. */
  notice: string
  /** Asks to be called back by somebody. */
  call_back: string
  /** Abuse in any sentence. */
  abuse: string
  /** Abuse only in a short sentence that asks nothing. */
  rude: string
  /** Somebody is in danger. */
  danger: string
  /** Urgent, perhaps without danger. */
  urgent: string
}

const sources: Readonly<Record<Language, IntentPatterns>> = {
  en: {
    assent:
      'yes|yeah|yea|yep|yup|ya|aye|sure|surely|right|correct|exactly|precisely|indeed|absolutely|definitely|certainly|' +
      'of course|please|ok|okay|u+h huh|m+ h+m+|m+h+m+|you got it|that one|that s it|i do|i did|totally|affirmative|spot on|true|bingo|go ahead|sounds good',
    refusal:
      'no|nope|nah|naw|not|never|negative|neither|wrong|something else|isn t|wasn t|don t|didn t',
    plain_yes: 'yes|yeah|yep|yup',
    plain_no: 'no|nope|nah',
    around:
      'would|be|i m|think|guess|believe|pretty|that|s|is|was|it|what|i|mean|meant|said|asked|wanted|want|to|know|my|question|the|one|well|oh|ah|so|thanks|thank|you|do|did|am|' +
      'looking|for|really|quite|at all|very|much|just|then|exact|same|all|a|something|else|this|of',
    contrast: 'but|however|although|only',
    pass_on:
      '(?:^|(?:please|just|can you|could you|would you|will you|hi|hello) )(?:please |just )?(?:tell|inform|remind|notify)(?! me| us| you)|(?:tell|inform|remind|notify|ask|let)(?! me| us| you| if| whether| what| how| when| where| a question)(?: the| my| your)? [^ ]+(?: [^ ]+)?? (?:know|that|i|we|to|about|the|my|it|he|she)|' +
      'pass (?:it |this |that )?(?:on|along)|(?:leave|take|have|write down|note down) (?:a|this|the|my) (?:quick )?(?:message|note)|message for|give (?:him|her|them|the [^ ]+|[^ ]+) (?:a|this|my|the) message|' +
      'say (?:that )?(?:i|we) (?:am|m|are|re|will|ll|can|cannot|called)',
    notice:
      '(?:wanted|want|just) to let you know|letting you know|just (?:wanted|calling) to (?:say|tell you)|i (?:have|need|want|would like|d like|must|ve got) to (?:cancel|reschedule|postpone|move|change|report)|i (?:cannot|can t|can not|won t be able to) (?:make|come|attend)|' +
      '(?:i am|i m|we are|we re|i will be|i ll be) (?:running |going to be )?(?:[^ ]+ ){0,4}late|my (?:phone |mobile |telephone )?(?:number|phone|mobile) is',
    call_back:
      '(?:call|ring|phone|contact|reach) me|(?:call|ring|phone) (?:us )?back|(?:get|have) (?:him|her|them|someone|somebody) (?:to )?(?:call|ring|phone)|give me a (?:call|ring|bell)|callback',
    abuse:
      'idiotic|fuck[^ ]*|motherfucker|shit|bullshit|asshole|arsehole|bastard|bitch|cunt|dickhead|wanker|prick|idiot|idiots|moron|imbecile|go to hell|screw you|piss off|shut up|son of a',
    rude: 'useless|stupid|dumb|crap|worthless|hopeless|pathetic|rubbish|damn|goddamn|hate you|you suck|this sucks|terrible service',
    danger:
      '(?:not|isn t|stopped|won t) respond(?:ing)?|ambulance|paramedics?|(?:there s|there is|we have|it s) (?:a )?(?:big |huge )?fire|on fire|is burning|(?:not|isn t|stopped|can t|cannot|struggling|barely) breath(?:e|ing)|heart attack|having a stroke|cardiac arrest|' +
      '(?:has|have|just) collapsed|passed out|unconscious|not waking up|break(?:ing)? in(?:to)?|broke into|burglars?|intruder|call the (?:police|fire brigade|fire department)|bleeding|choking|drowning|overdose|(?:been|got) (?:stabbed|shot|attacked)|' +
      'kill (?:myself|himself|herself)|suicide|suicidal|end my life|want to die|gas leak|smell gas|(?:has been|there was|had) (?:an|a bad|a terrible) accident|call 112|call 911|call 999',
    urgent: '(?:it s|it is|this is|s|is) an emergency|emergency please|life or death',
  },
  nl: {
    assent:
      'ja|jazeker|jawel|jep|jup|yep|yes|jo|zeker|klopt|precies|inderdaad|graag|juist|correct|natuurlijk|tuurlijk|uiteraard|exact|goed|ok|oke|prima|absoluut|uhu|u+h huh|m+ h+m+|m+h+m+|dat bedoel(?:de)? ik|' +
      'die ja|doe maar|dat is het|dat is hem|zeg het maar|vooruit|best|alstublieft|alsjeblieft|dat was mijn vraag',
    refusal: 'nee|neen|nope|niet|nooit|geen|iets anders|wat anders|fout|verkeerd|helemaal niet',
    plain_yes: 'ja|jazeker|jep|jawel',
    plain_no: 'nee|neen',
    around:
      'dat|die|is|was|het|wat|ik|bedoel|bedoelde|bedoelden|wou|wilde|weten|mijn|vraag|de|hoor|weten|ja|nou|oh|ah|dus|dank|je|u|wel|bedankt|echt|eigenlijk|helemaal|zo|maar|iets|anders|daar|gaat|om|even',
    contrast: 'maar (?!hoor|even|goed)[^ ]+|echter|alleen',
    pass_on:
      '(?:zeg|zeggen|vertel|vertellen|meld|melden|laat|vraag|vragen|herinner)(?! me\\b| mij\\b| ons\\b| of\\b| wat\\b| hoe\\b| waar\\b| wanneer\\b)(?: even| maar)*(?: tegen| aan)?(?: de| het| mijn| jullie| uw)?(?: [^ ]+){0,2}?(?: even| maar)* (?:dat|weten|of hij|of ze|of zij)|' +
      'tegen (?:de |het |mijn |uw )?[^ ]+ (?:even )?zeggen|zeg(?:gen)? (?:maar|dat|tegen)|door ?geven|geef (?:even |maar )?door|' +
      '(?:bericht|boodschap|berichtje) (?:achterlaten|voor|doorgeven|inspreken)|noteer|' +
      '(?:aan|tegen) (?:de |het |mijn |uw )?[^ ]+ (?:doorgeven|melden|vertellen|laten weten)|(?!laat me\\b|laat mij\\b|laat ons\\b)laat (?:de |het |mijn |uw )?[^ ]+ (?:even |maar )?weten',
    notice:
      '(?:laten|laat) (?:[^ ]+ )?weten dat|ik wilde (?:even )?(?:melden|zeggen|doorgeven) dat|ik (?:moet|wil|wou|zou graag|wil graag) (?:[^ ]+ ){0,6}(?:afzeggen|annuleren|verzetten|verplaatsen|cancelen|afmelden)|ik (?:kan|kom) (?:[^ ]+ ){0,4}niet (?:komen|langskomen)|ik (?:kom|ben) (?:[^ ]+ ){0,4}(?:te laat|later)|' +
      'mijn (?:telefoon)?(?:nummer|telefoon|mobiel) is',
    call_back:
      '(?:mij|me) (?:[^ ]+ ){0,6}(?:bellen|opbellen)|(?:terug ?bellen|terug ?te ?bellen|terug ?gebeld)|(?:bel|bellen) (?:me|mij|ons)|(?:me|mij|ons) (?:even )?(?:terug)?bellen|bel (?:even |maar )?terug|contact (?:met mij )?op',
    abuse:
      'klote[^ ]*|kut[^ ]*|kut[^ ]*|klootzak|klote[^ ]*|lul|eikel|hoer|trut|kanker[^ ]*|tering[^ ]*|tyfus[^ ]*|godver[^ ]*|verdomme|idioot|idioten|debiel|mongool|sukkel|hou je (?:bek|mond|kop)|houd je (?:bek|mond)|rot(?: toch)? op|oprotten|flikker op|val dood|krijg de|fuck[^ ]*|shit',
    rude: 'waardeloos|waardeloze|stom|stomme|dom|domme|nutteloos|belachelijk|rotding|kloot|zooitje|prutser|haat je|hopeloos|bagger',
    danger:
      'reageert niet|ambulance|ziekenwagen|er is brand|staat in brand|het brandt|brand in|(?:ademt|ademen) (?:[^ ]+ )?niet|niet meer ademen|geen adem|hartaanval|hartinfarct|hartstilstand|beroerte|ingestort|in elkaar gezakt|bewusteloos|buiten bewustzijn|flauwgevallen|' +
      'ingebroken|inbreker|inbrekers|bel (?:de )?(?:politie|brandweer)|(?:politie|brandweer) bellen|bloedt|bloeden|stikt|stikken|verdrinkt|overdosis|neergestoken|neergeschoten|aangevallen|ik wil (?:dood|niet meer leven|sterven)|zelfmoord|mezelf (?:iets aandoen|van kant)|' +
      'gaslucht|gaslek|ruik gas|ongeluk gebeurd|ongeval gebeurd|bel 112',
    urgent: '(?:het|dit|t) is (?:een )?(?:noodgeval|noodsituatie|spoed)|noodgeval is',
  },
  de: {
    assent:
      'ja|jawohl|jo|jep|jup|joa|yes|genau|stimmt|richtig|korrekt|gern|gerne|klar|sicher|natuerlich|naturlich|exakt|bitte|ok|okay|gut|absolut|selbstverstandlich|m+ h+m+|m+h+m+|mhm|aha|das (?:meine|meinte) ich|' +
      'so ist es|eben|auf jeden fall|freilich|unbedingt|passt',
    refusal: 'nein|nee|ne|no|nicht|nie|kein|keine|gar nicht|etwas anderes|was anderes|falsch',
    plain_yes: 'ja|jawohl|jo|genau',
    plain_no: 'nein|nee|ne',
    around:
      'das|die|der|den|ist|war|es|was|ich|meine|meinte|wollte|will|wissen|meine|frage|so|danke|schon|doch|na|ach|oh|also|ganz|bin|sie|dir|ihnen|ja|mal|leider|wirklich|anderes|etwas|hab|habe|gemeint|darum|geht',
    contrast: 'aber|jedoch|sondern|nur',
    pass_on:
      '(?:sagen|richten) sie (?!mir|uns)(?:[^ ]+ ){1,4}dass|(?:sag|sagt|sagen|erzahlen|melden|informieren|fragen|bitten)(?! mir\\b| uns\\b)(?: sie)?(?! mir\\b| uns\\b)(?: bitte| einfach| doch| mal| nur)*(?: dem| der| den| ihm| ihr| ihnen)?(?: [^ ]+)?? dass|(?:dem|der|den|ihm|ihr|ihnen) (?:[^ ]+ )?(?:bitte )?(?:sagen|ausrichten|mitteilen|bescheid)|' +
      '(?:richten|richte) (?:sie )?(?:[^ ]+ ){0,4}aus|ausrichten|weitergeben|weiterleiten|(?:geben|gib|sagen) (?:sie )?(?:[^ ]+ ){0,3}(?:bescheid|weiter)|bescheid (?:geben|sagen)|nachricht (?:fur|hinterlassen|an)|notieren sie',
    notice:
      'wollte (?:[^ ]+ ){0,2}(?:bescheid sagen|bescheid geben|mitteilen|sagen) dass|ich (?:muss|mochte|will|wurde gerne) (?:[^ ]+ ){0,6}(?:absagen|verschieben|stornieren|verlegen|abmelden)|ich kann (?:[^ ]+ ){0,4}nicht kommen|ich (?:komme|bin) (?:[^ ]+ ){0,4}(?:zu spat|spater)|' +
      'meine (?:telefon|handy|ruf)?(?:nummer|telefonnummer|handynummer) ist|meine nummer lautet',
    call_back:
      '(?:mich|uns) (?:[^ ]+ ){0,8}(?:anrufen|zuruckrufen)|anrufen|zuruckrufen|zuruckzurufen|zuruckgerufen|ruckruf|(?:rufen|ruf) (?:sie )?(?:mich|uns|bitte|an)|mich (?:bitte )?an(?:zu)?rufen|melden sie sich',
    abuse:
      'scheiss[^ ]*|scheisse|arsch[^ ]*|fick[^ ]*|hurensohn|wichser|fotze|schlampe|idiot|idioten|trottel|depp|vollidiot|halt (?:die|den|dein[^ ]*) (?:klappe|mund|maul|fresse)|maul halten|verpiss dich|leck mich|fahr zur holle|verdammt[^ ]*|fuck[^ ]*',
    rude: 'nutzlos|blod|blode|bloder|dumm|dumme|mist|bescheuert|unfahig|lacherlich|schrott|saftladen|hasse dich|zum kotzen',
    danger:
      'reagiert nicht|krankenwagen|rettungswagen|notarzt|es brennt|feuer im|brennt|(?:atmet|atmen) (?:[^ ]+ )?nicht|keine luft|herzinfarkt|herzanfall|schlaganfall|herzstillstand|zusammengebrochen|bewusstlos|ohnmachtig|nicht bei bewusstsein|' +
      'eingebrochen|einbrecher|einbruch gerade|(?:rufen|ruf) (?:sie )?die (?:polizei|feuerwehr)|(?:polizei|feuerwehr) rufen|blutet|verblutet|erstickt|ersticken|ertrinkt|uberdosis|niedergestochen|angeschossen|uberfallen|umbringen|selbstmord|suizid|nicht mehr leben|will sterben|' +
      'gasgeruch|riecht nach gas|es gab einen unfall|unfall passiert|einen unfall hier',
    urgent: '(?:es|das|dies) ist ein notfall|ein notfall hier|lebensgefahr',
  },
  fr: {
    assent:
      'oui|ouais|ouep|yes|si|c est (?:bien )?(?:ca|cela|exact|correct|celui la)|exactement|exact|tout a fait|voila|bien sur|effectivement|en effet|absolument|correct|volontiers|d accord|ok|okay|parfaitement|certainement|evidemment|m+ h+m+|m+h+m+|' +
      's il vous plait|celui la|celle la|bien entendu|avec plaisir|allez y|juste|vrai',
    refusal: 'non|nan|pas|jamais|aucun|autre chose|faux|du tout|negatif',
    plain_yes: 'oui|ouais|exactement',
    plain_no: 'non|nan|pas du tout',
    around:
      'oui|c|est|bien|ca|cela|ce|que|je|j|voulais|voudrais|veux|dire|dis|disais|savoir|ma|question|la|le|l|merci|bon|ah|oh|eh|alors|s il vous plait|vraiment|du|tout|autre|chose|celui|celle|n|ne|etait|demandais|de|beaucoup',
    contrast: 'mais|cependant|par contre|seulement',
    pass_on:
      '(?:dire|dites|dis|demander|demandez|rappeler|signaler|indiquer) (?:lui|leur)|(?:lui|leur) (?:dire|demander|signaler|transmettre|faire savoir|passer)|(?:dire|dites|demander|demandez|signaler|annoncer|signalez|annoncez)(?! moi\\b| nous\\b)(?: juste)? (?:au|a la|a l|aux|a) [^ ]+(?: [^ ]+)?? (?:que|qu|de)|' +
      '(?:prevenir|prevenez|avertir|avertissez|informer|informez)(?! moi\\b| nous\\b)|transmettre|transmettez|faire passer|(?:faites|faire) savoir|(?:laisser|prendre|noter) un message (?:pour|a)|message pour|dites (?:que|qu)|notez',
    notice:
      'je voulais (?:vous )?(?:prevenir|dire|signaler|informer) (?:que|qu)|je (?:dois|voudrais|veux|souhaite|suis obligee? d) (?:[^ ]+ )?(?:annuler|reporter|deplacer|decaler)|j aimerais (?:annuler|reporter|deplacer)|je ne (?:peux|pourrai|pourrais) pas (?:venir|etre)|(?:je serai|je suis|j aurai|j ai) (?:[^ ]+ ){0,4}(?:en retard|de retard)|' +
      'mon (?:numero|telephone|portable)(?: de telephone)? (?:est|c est)',
    call_back:
      'm appeler|m appelle|appelez moi|(?:me|nous) (?:rappeler|recontacter|rappelle)|rappelez (?:moi|nous)|(?:etre|soit) rappele[es]*|rappelle moi|me rappelle|contactez moi',
    abuse:
      'merde|merdique|putain|connard|connasse|conne|con|salope|salaud|encule[^ ]*|foutre|nique|batard|idiot|imbecile|abruti|cretin|debile|ferme la|ta gueule|va te faire|allez au diable|fuck|bordel',
    rude: 'nul|nulle|nuls|stupide|inutile|bete|pourri|minable|honteux|deteste|incapable|incompetents?|idiote',
    danger:
      'ne reagit (?:plus|pas)|ambulance|samu|pompiers vite|appelez les pompiers|il y a le feu|y a le feu|au feu|en feu|un incendie|(?:ne )?respire (?:plus|pas)|crise cardiaque|infarctus|arret cardiaque|avc|s est effondre[es]*|evanoui[es]*|inconsciente?|perdu connaissance|' +
      'par effraction|cambrioleurs?|cambriole|appelez la police|appeler la police|saigne|s etouffe|etouffe|se noie|overdose|poignarde|agresse[es]*|on m attaque|suicider|suicide|me tuer|en finir|veux mourir|odeur de gas|odeur de gaz|fuite de gaz|' +
      'a eu un accident|eu un accident|un accident grave',
    urgent: 'c est (?:une|tres|vraiment) ?urgen(?:ce|t)|urgence vitale',
  },
  es: {
    assent:
      'si|claro|vale|exacto|exactamente|correcto|efectivamente|asi es|eso es|eso mismo|ese mismo|esa misma|ese|esa|eso|por supuesto|desde luego|de acuerdo|ok|okay|bueno|perfecto|cierto|justo|aja|yes|m+ h+m+|m+h+m+|' +
      'por favor|sin duda|naturalmente|a eso me refiero|eso queria decir|adelante|dale|venga|obvio',
    refusal: 'no|nop|nada|nunca|tampoco|que va|para nada|otra cosa|ninguno|negativo|incorrecto',
    plain_yes: 'si|claro|exacto',
    plain_no: 'no|que va',
    around:
      'si|eso|ese|esa|a|es|lo|que|yo|me|refiero|queria|quiero|decir|digo|saber|preguntaba|mi|pregunta|la|el|mismo|misma|gracias|pues|ah|oh|bueno|claro|muchas|justo|exactamente|otra|cosa|era|muy|bien|de|por|favor',
    contrast: 'pero|sin embargo|aunque|solo',
    pass_on:
      '(?:decirle|decirles|digale|digales|dile|diles|avisarle|avisele|comunicarle|comunicarles|comuniquele|transmitirle|informarle|recordarle|preguntarle|pasarle|hagale saber|haganle saber|hacerle saber)|(?:avise|avisar|avisen|informe|informar|diga|decir)(?! me\\b| nos\\b) (?:a|al) [^ ]+|' +
      '(?:dejar|dejarle|tomar|anotar|dar) (?:un|este|el) (?:recado|mensaje)|(?:recado|mensaje) para|transmitir|pase el recado|diga que|digan que|apunte',
    notice:
      'queria (?:avisar|decir|informar|comunicar)(?:les|le)? (?:de )?que|(?:tengo que|debo|quiero|quisiera|necesito|querria) (?:[^ ]+ )?(?:cancelar|anular|aplazar|cambiar|posponer)|(?:manana |hoy )?no (?:puedo|podre) (?:ir|acudir|asistir|llegar)|(?:llego|llegare|llegamos|voy a llegar) (?:[^ ]+ ){0,4}tarde|' +
      'mi (?:numero|telefono|movil)(?: de telefono)? es',
    call_back:
      'llamarme|llamenme|llameme|llamame|me (?:puede|puedes|pueden|podria|podrian)? ?(?:llamar|llame|llamen|devolver)|devolverme la llamada|devolver la llamada|contactarme|puede llamar',
    abuse:
      'mierda|joder|jodete|puta|puto|putos|cabron|gilipollas|imbecil|idiota|idiotas|estupido de|pendejo|cono|callate|vete a la|vayase a la|hijo de|que te den|capullo|subnormal|tonto del',
    rude: 'inutil|inutiles|estupida|estupido|tonto|tonta|asco|basura|desastre|verguenza|ridiculo|odio|porqueria',
    danger:
      'no reacciona|ambulancia|hay (?:un )?(?:fuego|incendio)|un incendio|en llamas|se esta quemando|no (?:puede )?respira[r]?|infarto|ataque al corazon|paro cardiaco|derrame cerebral|ictus|se ha (?:desplomado|desmayado)|desmayado|desmayada|inconsciente|sin conocimiento|' +
      'entrando a robar|ladrones|estan robando|llame a (?:la policia|los bomberos)|llamen a (?:la policia|los bomberos)|sangrando|sangra mucho|ahogando|se ahoga|asfixi[^ ]*|sobredosis|apunalado|disparado|me atacan|suicidarme|suicidio|matarme|quitarme la vida|quiero morir|' +
      'huele a gas|fuga de gas|ha habido un accidente|un accidente grave|hubo un accidente',
    urgent: '(?:es|esto es) una (?:emergencia|urgencia)|emergencia por favor',
  },
  it: {
    assent:
      'si|certo|esatto|esattamente|giusto|corretto|certamente|infatti|ovviamente|ovvio|appunto|proprio|proprio quello|va bene|d accordo|ok|okay|bene|sicuro|sicuramente|perfetto|naturalmente|assolutamente|yes|m+ h+m+|m+h+m+|' +
      'per favore|prego|volentieri|quello|quella|come no|vero|intendo quello',
    refusal: 'no|non|niente|nulla|affatto|macche|nemmeno|neanche|un altra cosa|altro|mai|sbagliato',
    plain_yes: 'si|certo|esatto',
    plain_no: 'no|macche|affatto',
    around:
      'si|eh|e|quello|quella|cio|che|io|intendo|intendevo|volevo|voglio|dire|dicevo|sapere|chiedevo|mia|domanda|la|il|lo|grazie|ah|oh|allora|proprio|esatto|altra|cosa|un|era|mille|per|favore|questo',
    contrast: 'ma|pero|tuttavia|solo',
    pass_on:
      '(?:dirgli|dirle|dire loro|digli|gli dica|le dica|avvisarlo|avvisarla|riferirgli|riferirle|riferire|riferisca|comunicare|comunichi|comunicargli|faccia sapere|fate sapere|fargli sapere|far sapere)|(?:dire|dica|chiedere|chieda|ricordare|ricordi) (?:al|alla|allo|all|ai|a) [^ ]+|' +
      '(?:avvisi|avvisare|avverta|avvertire|informi|informare)(?! mi\\b| ci\\b)|dica (?:solo |soltanto |pure )*(?:che|loro)|(?:lasciare|lasciargli|lasciarle|prendere) un messaggio (?:per|a)|messaggio per|prenda nota|annoti',
    notice:
      'volevo (?:avvisar|dir|informar|comunicar)[^ ]* che|(?:devo|vorrei|voglio|dovrei) (?:[^ ]+ )?(?:disdire|annullare|cancellare|spostare|rimandare)|non (?:posso|potro|riesco a) (?:venire|esserci)|(?:faccio|faro|arrivo|arrivero|sono) (?:[^ ]+ ){0,4}(?:ritardo|in ritardo|tardi)|' +
      'il mio (?:numero|telefono|cellulare)(?: di telefono)? e',
    call_back:
      'chiamarmi|mi (?:puo|potete|possono) chiamare|chiamatemi|richiamarmi|mi (?:richiami|richiamate|richiamino|chiami)|richiamatemi|essere richiamat[oa]|richiamare|mi faccia chiamare|mi contatti',
    abuse:
      'cazzo|stronz[^ ]*|merda|vaffanculo|affanculo|fanculo|coglion[^ ]*|bastard[^ ]*|puttana|troia|idiota|idioti|imbecille|cretin[^ ]*|deficient[^ ]*|stai zitto|stia zitto|chiudi il becco|va al diavolo|porco|porca|testa di',
    rude: 'inutile|inutili|stupida|stupido|scemo|scema|schifo|fai schifo|vergogna|incapaci|ridicol[^ ]*|odio|spazzatura|maledett[^ ]*',
    danger:
      'non reagisce|ambulanza|c e (?:un )?(?:incendio|fuoco)|un incendio|va a fuoco|in fiamme|non respira|infarto|attacco di cuore|arresto cardiaco|ictus|e svenut[oa]|svenut[oa]|priva? di sensi|incosciente|collassat[oa]|' +
      'entrando i ladri|i ladri|rapina|(?:chiamate|chiami|chiama) (?:la polizia|i carabinieri|i pompieri|i vigili)|perdendo (?:molto )?sangue|sanguina|soffocando|soffoca|annegando|overdose|accoltellat[oa]|sparat[oa]|mi attaccano|uccidermi|suicid[^ ]*|ammazzarmi|farla finita|voglio morire|' +
      'odore di gas|fuga di gas|stato un incidente|un incidente grave',
    urgent: '(?:e|questa e) un ?emergenza|emergenza per favore',
  },
}

const compiled = new Map<string, RegExp>()

/** The pattern of an intent, which matches whole words of folded text. */
export function intentPattern(language: Language, intent: keyof IntentPatterns): RegExp {
  const key = `${language} ${intent}`
  const known = compiled.get(key)
  if (known !== undefined) return known
  const pattern = new RegExp(`(?<= |^)(?:${sources[language][intent]})(?= |$)`, 'gu')
  compiled.set(key, pattern)
  return pattern
}
