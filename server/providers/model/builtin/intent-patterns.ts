/**
 * Patterns over folded text (lowercase, no accents, single spaces) for intents with many wordings:
 * agreeing, declining, leaving a message, insulting, and calling for help. Each language has the
 * same entries.
 */
import type { Language } from '../language/language.ts'

export interface IntentPatterns {
  /** Words that agree. */
  assent: string
  /** Words that decline, alone or with other words. */
  refusal: string
  /** Beginnings of an answer that agrees, or declines, with any continuation. */
  plain_yes: string
  plain_no: string
  /** Words that may surround a yes or no. */
  around: string
  /** Turns an answer into another request: "yes, but …". */
  contrast: string
  /** Asks to pass on or note something. */
  pass_on: string
  /** Information for the business, without a request to pass it on. */
  notice: string
  /** Asks for a call back. */
  call_back: string
  /** Ends a call at any position in a short sentence. */
  farewell: string
  /** Abuse in any sentence. */
  abuse: string
  /** Abuse only in a short sentence without a question. */
  rude: string
  /** A person is in danger. */
  danger: string
  /** Urgent, perhaps without danger. */
  urgent: string
}

const sources: Readonly<Record<Language, IntentPatterns>> = {
  en: {
    assent:
      'yes|yeah|yea|yep|yup|ya|aye|sure|surely|right|correct|exactly|precisely|indeed|absolutely|definitely|certainly|' +
      'of course|please|ok|okay|u+h huh|m+ h+m+|m+h+m+|you got it|that one|that s it|that would be it|i do|i did|go on|by all means|you bet|for sure|fine|alright|all right|totally|affirmative|spot on|true|bingo|go ahead|sounds good|' +
      'suppose so|guess so|think so|i reckon|bang on|dead right|that ll do|sounds (?:right|about right)|makes sense|why not|let s hear it|please do|perfect|great|lovely|brilliant|cool|quite so|naturally',
    refusal:
      'no|nope|nah|naw|not|never|negative|neither|wrong|something else|isn t|wasn t|don t|didn t|' +
      'aren t|doesn t|can t|won t|wouldn t|cannot|nothing|none|hardly|mistaken|misunder[^ ]*|misheard|nowhere',
    plain_yes:
      'yes|yeah|yep|yup|aye|exactly|precisely|indeed|correct|absolutely|definitely|certainly|of course|spot on|that (?:would|will|d|ll) be (?:it|right|the one|great|nice|lovely|perfect)|that s (?:it|right|correct|the one)|' +
      'go (?:on|for it)|you (?:ve )?got it',
    plain_no:
      'no|nope|nah|nay|afraid not|i m afraid not|not (?:really|quite|exactly|at all|that|what)|(?:that|it|this)(?: s| is| was)?(?: n t|n t| isn t| wasn t)? not (?:what|the|it|quite|really|my)|(?:that|it) (?:isn t|wasn t) (?:what|it|my|the)|' +
      'you (?:ve |have )?(?:misunder[^ ]*|misheard|got (?:it|me|that) wrong)|you re not (?:getting|hearing|listening)|i (?:meant|mean|said|asked (?:for|about)|want|wanted) something else|wrong|i don t mean|i didn t (?:mean|ask|say)',
    around:
      'would|be|i m|think|guess|believe|pretty|that|s|is|was|it|what|i|mean|meant|said|asked|wanted|want|to|know|my|question|the|one|well|oh|ah|so|thanks|thank|you|do|did|am|' +
      'looking|after|sort of|kind of|something like that|for|then|mm|mmm|hm|more or less|basically|i suppose|wondering|wonder|really|quite|at all|very|much|just|then|exact|same|all|a|something|else|this|of',
    contrast: 'but|however|although|only',
    pass_on:
      '(?:^|(?:please|just|can you|could you|would you|will you|hi|hello) )(?:please |just )?(?:tell|inform|remind|notify)(?! (?:me|us|you)\\b)|(?:tell|inform|remind|notify|ask|let)(?! (?:me|us|you|if|whether|what|how|when|where|a question)\\b)(?: the| my| your)? [^ ]+(?: [^ ]+)?? (?:know|that|i|we|to|about|the|my|it|he|she)|' +
      'pass (?:it |this |that )?(?:on|along)|(?:leave|take|have|write down|note down) (?:a|this|the|my) (?:quick )?(?:message|note)|(?:make a note|take note|note|note down|jot down|write down) that|relay (?:to|that|this)|get word to|(?:pass|send|give) (?:him|her|them|my|the [^ ]+|[^ ]+) (?:[^ ]+ )?(?:word|regards)|message for|give (?:him|her|them|the [^ ]+|[^ ]+) (?:a|this|my|the) message|' +
      'say (?:that )?(?:i|we) (?:am|m|are|re|will|ll|can|cannot|called)|' +
      '(?:so kind as to|kindly|do me a favour and|would you mind|i d like you to|i want you to|i need you to|be able to|someone|somebody) (?:please )?(?:tell|inform|remind|notify|warn|telling|informing)(?! (?:me|us|you)\\b)|(?:get|have) (?!me |us |you )(?:the |your |my )?[^ ]+(?: [^ ]+)? (?:to )?(?:get back|return)|let (?:it be known|everyone know)|make sure (?:that )?(?:the [^ ]+|[^ ]+) (?:knows|hears|gets)',
    notice:
      '(?:wanted|want|just) to let you know|letting you know|just (?:wanted|calling) to (?:say|tell you)|i (?:have|need|want|would like|d like|must|ve got) to (?:cancel|reschedule|postpone|move|change|report)|i (?:cannot|can t|can not|won t be able to) (?:make|come|attend)|' +
      '(?:i am|i m|we are|we re|i will be|i ll be) (?:running |going to be )?(?:[^ ]+ ){0,4}late|my (?:phone |mobile |telephone )?(?:number|phone|mobile) is|' +
      '(?<!(?:can|could|may|do|should|if|whether|how) )i(?: [^ ]+){0,6} (?:cancel|reschedule|postpone|rebook|rearrange|call off)|stuck in traffic|(?:i|we) (?:cannot|can t|won t) (?:[^ ]+ )?(?:make it|be there|be in|come)|i (?:[^ ]+ ){0,3}off sick',
    call_back:
      '(?:call|ring|phone|contact|reach) me|(?:call|ring|phone) (?:us )?back|(?:get|have) (?:him|her|them|someone|somebody) (?:to )?(?:call|ring|phone)|give me a (?:call|ring|bell)|callback|' +
      'get back to me|get in touch with me|return my call|reach out to me|text me',
    farewell:
      '(?<!(?:i|we|you|to|they) )(?:have|enjoy) (?:yourself )?(?:a|an|your|the rest of (?:your|the)|the rest of) (?:very |really )?(?:[^ ]+ )?(?:day|evening|night|afternoon|morning|weekend|week|one|holiday|holidays|christmas)|' +
      '(?<!(?:i|to) )(?:see|speak to|talk to|catch) (?:you|ya) (?:all )?(?:later|soon|then|tomorrow|around|next|on|again)|(?:until|till) next time|i (?:won t|will not) (?:keep|hold|bother|disturb) you|i ll (?:let you (?:go|get)|leave (?:you to it|it there|it at that))|(?:hang|hanging|ringing|ring) (?:up|off) now|cheerio|ta ra|ta ta|toodle[^ ]*|good night|bye for now|all the best',
    abuse:
      'idiotic|fuck[^ ]*|motherfucker|shit|bullshit|asshole|arsehole|bastard|bitch|cunt|dickhead|wanker|prick|idiot|idiots|moron|imbecile|go to hell|screw you|piss off|shut up|son of a|tosser|twat|bollocks|dimwit|dipshit|jackass|scumbags?|crooks|scammers?|con artists?|thieving|(?:bugger|sod|buzz|naff) off|get lost|drop dead|get stuffed|brain ?dead|half ?wit|numpty|nitwit|(?:thick|dumb) as|thick in the head|' +
      '(?:you|your|they|company|shop|lot|run by|what|such|called)(?: (?:are|re|is|s|all|just|such|a|an|bunch|of|bloody|absolute|total|complete|utter|stupid|load|lot|pack|right|real|by|nothing|but|silly|useless|lying))* (?:muppets?|plonker|pillock|clowns?|cretins?|losers?|fools?|crooks|thieves|liars?|cheats|swindlers|fraudsters|cowboys|criminals|parrot|jokers?|amateurs|donkey|pig|cow|disgrace|joke|waste of space)|' +
      '(?:are|re) you (?:all )?(?:[^ ]+ ){0,2}(?:deaf|stupid|dumb|thick|crazy|insane|retarded|daft|mental)|can t you do anything|you (?:are|re) (?:[^ ]+ ){0,2}(?:stupid|useless|thick|hopeless|pathetic|incompetent)|(?:bloody|effing|flipping) (?:[^ ]+ )?(?:machine|robot|computer|idiots?|thing|useless|hell)|silly (?:machine|robot|cow|thing)',
    rude: 'useless|stupid|dumb|crap|worthless|hopeless|pathetic|rubbish|damn|goddamn|hate you|you suck|this sucks|terrible service|garbage|incompetent|clueless|waste of (?:time|space|money)|piece of junk|what a joke|(?:are|re) a joke|bunch of (?:clowns|liars|thieves|cowboys)|rip ?off merchants|ridiculous|disgrace|disgraceful|moronic|brainless',
    danger:
      '(?:not|isn t|stopped|won t) respond(?:ing)?|(?:face|mouth) (?:is |s )?drooping|(?:throat|tongue) (?:is |s )?(?:swelling|closing)|(?:smell|smells|stinks|reeks) (?:[^ ]+ ){0,3}gas|ambulance|paramedics?|(?:there s|there is|we have|it s) (?:a )?(?:big |huge )?fire|on fire|is burning|(?:not|isn t|stopped|can t|cannot|struggling|barely) breath(?:e|ing)|heart attack|having a stroke|cardiac arrest|' +
      '(?:has|have|just) collapsed|passed out|unconscious|not waking up|break(?:ing)? in(?:to)?|broke into|burglars?|intruder|call the (?:police|fire brigade|fire department)|bleeding|choking|drowning|overdose|(?:been|got) (?:stabbed|shot|attacked)|' +
      'kill (?:myself|himself|herself)|suicide|suicidal|end my life|want to die|gas leak|smell(?:s|ing)? (?:of )?gas|smoke (?:is )?(?:coming|pouring|billowing|everywhere)|full of smoke|(?:call|send|get|need|want) (?:for |us |me )?(?:the |an? )?(?:police|fire brigade|fire department|fire engine|firefighters?|emergency services)|chest pains?|pains? in (?:my|his|her|the) chest|electrocuted|(?:been|got) (?:hit by|run over)|(?:he|she|they)(?: is| s| are| re)? (?:isn t|aren t|not) moving|having a (?:seizure|fit)|swallowed (?:bleach|poison|pills|a battery)|poisoned|being (?:attacked|robbed|followed|threatened)|(?:has|with|got) a (?:knife|gun)|(?:has been|there was|had) (?:an|a bad|a terrible) accident|call 112|call 911|call 999|' +
      '(?:fell|fallen|jumped) (?:[^ ]+ ){0,3}(?:canal|water|river|sea|pool|lake|roof|ladder|scaffolding|stairs)|(?:he|she|man|woman|child|mother|father|mum|dad|husband|wife|son|daughter|colleague|customer|someone|somebody|neighbour) (?:is |s )?lying on the (?:floor|ground|street|road)|(?:badly|seriously|severely) (?:hurt|injured|burnt|burned|wounded)|(?:man|woman|guy|someone|somebody|person|he|she) (?:[^ ]+ ){0,2}(?:with|has|holding|got) a (?:knife|gun)|hostage|robbery|robbing (?:us|me|the)|' +
      'swallowed|allergic (?:reaction|shock)|in labour|waters? (?:has |have )?(?:just )?(?:broke|broken)|giving birth|(?:in|up in|see|huge) flames|exploded|(?:an|big|huge) explosion|(?:he|she|someone|somebody) is (?:trapped|stuck under)|trapped in the lift|stuck in the lift|cut (?:off )?(?:his|her|my) (?:finger|hand|arm|wrist)[^ ]*|faint(?:ed|ing)|can t (?:feel|move) (?:my|his|her)|heart (?:has )?stopped|stopped breathing|(?:has|have|having|had) a stroke',
    urgent: '(?:it s|it is|this is|s|is) an emergency|emergency please|life or death',
  },
  nl: {
    assent:
      'ja|jazeker|jawel|jep|jup|yep|yes|jo|zeker|klopt|precies|inderdaad|graag|juist|helemaal goed|dat zoek ik|dat wil ik weten|correct|natuurlijk|tuurlijk|uiteraard|exact|goed|ok|oke|prima|absoluut|uhu|u+h huh|m+ h+m+|m+h+m+|dat bedoel(?:de)? ik|' +
      'die ja|doe maar|dat is het|dat is hem|zeg het maar|vooruit|best|alstublieft|alsjeblieft|dat was mijn vraag|' +
      'zo is het|lijkt (?:me|mij)|denk (?:ik|het)|geloof ik|helemaal|top|mooi|fijn|perfect|laat maar horen|kom maar|vertel maar|daar gaat het om|waarschijnlijk|zekers|okido|akkoord|reken maar',
    refusal:
      'nee|neen|nope|niet|nooit|geen|iets anders|wat anders|fout|verkeerd|helemaal niet|' +
      'niks|niets|nergens|onjuist|mis|neuh|vergist|misverst[^ ]*|anders|geenszins',
    plain_yes:
      'ja|jazeker|jep|jawel|inderdaad|precies|klopt|exact|absoluut|jazeker|uiteraard|tuurlijk|natuurlijk|dat (?:klopt|bedoel ik|bedoelde ik|wil ik weten|wou ik weten|wilde ik weten|zoek ik)|(?:dat|die) is (?:het|hem|m)',
    plain_no:
      'nee|neen|neuh|nee hoor|nou nee|niet echt|niet helemaal|dat (?!weet )(?:[^ ]+ ){0,4}niet|(?:u|je|jij|jullie) (?:begrijp[^ ]*|versta[^ ]*|snap[^ ]*|heb[^ ]*) (?:me|mij|het)(?: [^ ]+)? (?:verkeerd|niet)(?: [^ ]+)?|' +
      'ik (?:bedoel|bedoelde|zoek|zocht|vroeg|wil|wilde|wou) (?:[^ ]+ )?(?:iets|wat) anders',
    around:
      'dat|die|is|was|het|wat|ik|bedoel|bedoelde|bedoelden|wou|wilde|weten|mijn|vraag|de|hoor|weten|ja|nou|oh|ah|dus|dank|je|u|wel|bedankt|echt|eigenlijk|helemaal|zo|maar|iets|anders|daar|gaat|om|even|zoiets|ongeveer|min of meer|eh|uh',
    contrast: 'maar (?!hoor|even|goed)[^ ]+|echter|alleen',
    pass_on:
      '(?:zeg|zeggen|vertel|vertellen|meld|melden|laat|vraag|vragen|herinner)(?! me\\b| mij\\b| ons\\b| of\\b| wat\\b| hoe\\b| waar\\b| wanneer\\b)(?: even| maar)*(?: tegen| aan)?(?: de| het| mijn| jullie| uw)?(?: [^ ]+){0,2}?(?: even| maar)* (?:dat|weten|of hij|of ze|of zij)|' +
      'tegen (?:de |het |mijn |uw )?[^ ]+ (?:even )?zeggen|zeg(?:gen)? (?:maar|dat|tegen)|door ?geven|geef (?:even |maar )?door|' +
      '(?:bericht|boodschap|berichtje) (?:achterlaten|voor|doorgeven|inspreken)|noteer|noteren|opschrijven|overbrengen|schrijf (?:[^ ]+ ){0,2}op|op de hoogte (?:brengen|stellen)|breng (?:[^ ]+ ){1,3}op de hoogte|' +
      '(?:de [^ ]+|meneer [^ ]+|mevrouw [^ ]+|iemand) moet (?:me|mij|ons) (?:[^ ]+ ){0,4}(?:terug ?)?bellen|' +
      '(?:aan|tegen) (?:de |het |mijn |uw )?[^ ]+ (?:doorgeven|melden|vertellen|laten weten)|(?!laat me\\b|laat mij\\b|laat ons\\b)laat (?:de |het |mijn |uw )?[^ ]+ (?:even |maar )?weten|' +
      '(?:kunt u|kun je|kan u|wilt u|wil je|wil u|zou u|zou je) (?!me |mij |ons |over )(?:[^ ]+ ){1,6}(?:vragen (?:of|om)|(?:vertellen|zeggen|melden|laten weten|meedelen|mededelen|berichten) dat|waarschuwen|inlichten|informeren)|' +
      '(?:bericht|berichtje|boodschap|briefje|notitie|mailtje|appje) (?:[^ ]+ ){0,2}(?:sturen|geven|neerleggen|bezorgen|aan)|doorspelen|doorzeggen|(?:breng|brengen) (?:[^ ]+ ){0,3}over',
    notice:
      '(?:laten|laat) (?:[^ ]+ )?weten dat|ik wilde (?:even )?(?:melden|zeggen|doorgeven) dat|ik (?:moet|wil|wou|zou graag|wil graag) (?:[^ ]+ ){0,6}(?:afzeggen|annuleren|verzetten|verplaatsen|cancelen|afmelden)|ik (?:kan|kom) (?:[^ ]+ ){0,4}niet (?:komen|langskomen)|ik (?:kom|ben) (?:[^ ]+ ){0,4}(?:te laat|later)|' +
      'mijn (?:telefoon)?(?:nummer|telefoon|mobiel) is|' +
      '(?<!(?:kan|kon|mag|hoe|of|wanneer|als) )ik (?:[^ ]+ ){0,8}(?:afzeggen|annuleren|verzetten|cancelen|afmelden|verschuiven|uitstellen|afbellen)|(?:staan|sta|zit) (?:[^ ]+ ){0,3}in de file|ik (?:[^ ]+ ){0,2}ziek gemeld|ik meld (?:me|mij) ziek|red het niet',
    call_back:
      '(?:mij|me) (?:[^ ]+ ){0,6}(?:bellen|opbellen)|(?:terug ?bellen|terug ?te ?bellen|terug ?gebeld)|(?:bel|belt|bellen) (?:u |je |jij |jullie )?(?:me|mij|ons)|(?:me|mij|ons) (?:even )?(?:terug)?bellen|bel (?:even |maar )?terug|contact (?:met mij )?op|' +
      '(?:mij|me) (?:[^ ]+ ){0,4}belt|contact met (?:mij|me|ons)|terugbel[^ ]*|laat (?:iets|wat) (?:van je|van u )?horen',
    farewell:
      '(?:fijne?|prettige?) (?:dag|avond|middag|weekend|week|feestdagen|vakantie|kerst|zondag|zaterdag|vrijdag|ochtend|werkdag|dagen)|goed weekend|(?:nog )?een (?:fijne|prettige)(?: dag| avond| middag)|(?:[^ ]+ )?(?:dag|avond|middag|weekend) (?:toegewenst|gewenst)|' +
      'hang (?:ik )?(?:nu |dan |maar |weer )*op|ik ga (?:nu |dan |maar |weer )*(?:ophangen|hangen)|(?:zie|spreek|horen|zien|spreken) (?:ik |wij |we )?(?:u|je|jullie|elkaar) (?:later|morgen|dan|straks|snel|gauw|nog|weer|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|volgende week)|werk ?ze|succes (?:ermee|verder|nog)|niet (?:langer|verder) (?:ophouden|storen|lastigvallen)|(?:dikke )?doei+|houdoe|ajuus?|de mazzel|gegroet',
    abuse:
      'klote[^ ]*|kut[^ ]*|kut[^ ]*|klootzak|klote[^ ]*|lul|eikel|hoer|trut|kanker[^ ]*|tering[^ ]*|tyfus[^ ]*|godver[^ ]*|verdomme|idioot|idioten|debiel|mongool|sukkel|hou je (?:bek|mond|kop)|houd je (?:bek|mond)|rot(?: toch)? op|oprotten|flikker op|val dood|krijg de|krijg toch|fuck[^ ]*|shit|oplichters?|afzetters|schoft|hufters?|achterlijke?|mafkees|mafketel|klojo|onbenul|domkop|domoor|lamzak|randdebiel[^ ]*|debielen|(?:donder|sodemieter|hoepel|lazer) (?:toch )?op|loop naar de (?:maan|hel|pomp)|bek dicht|stuk onbenul|' +
      'stomkop|oen|kluns|halve zool|flapdrol|minkukel|nitwit|leeghoofd|viezerik|smeerlap|ellendeling|stuk (?:vreten|tuig|schroot)|te dom|niet goed (?:bij|snik|wijs)|van de pot gerukt|(?:jullie|jij|je|u|ze) (?:zijn|bent|ben) (?:[^ ]+ ){0,3}(?:gestoord|gek|dom|doof|achterlijk|incapabel|onbekwaam|waardeloos|criminelen|dieven|boeven|leugenaars|amateurs|prutsers|klungels)|' +
      '(?:ben|bent|zijn) (?:je|jij|u|jullie) (?:[^ ]+ ){0,3}(?:gestoord|gek|dom|doof|achterlijk|debiel|traag van begrip)|stelletje (?:[^ ]+ )?(?:amateurs|prutsers|dieven|boeven|klungels|leugenaars|idioten|nietsnutten|eikels)|nietsnut[^ ]*|(?:stomme|domme|achterlijke|waardeloze) (?:computer|machine|robot|doos|trut|ding|muts|koe|zak)',
    rude:
      'waardeloos|waardeloze|stom|stomme|dom|domme|nutteloos|belachelijk|rotding|kloot|zooitje|prutser|haat je|hopeloos|bagger|(?:jullie|je|jij|u) (?:[^ ]+ )?(?:een )?stelletje|onbeschoft|incompetente?|schandalig[^ ]*|prutsers|knoeiers|rotapparaat|rotzooi|klunzen|amateurs|leugenaars?|' +
      'kansloos|kansloze|triest|slecht bedrijf|zielig|flut[^ ]*|rommel|onzin|gestoord|idioterie',
    danger:
      'reageert niet|ambulance|ziekenwagen|in brand|(?:stinkt|ruikt|ruik|ruiken) (?:[^ ]+ ){0,4}gas|geen lucht|(?:keel|tong) (?:[^ ]+ )?(?:zwelt|zwolt)|hangt scheef|mondhoek|er is brand|staat in brand|het brandt|brand in|(?:ademt|ademen) (?:[^ ]+ )?niet|niet meer ademen|geen adem|hartaanval|hartinfarct|hartstilstand|beroerte|ingestort|in elkaar gezakt|bewusteloos|buiten bewustzijn|flauwgevallen|' +
      'ingebroken|inbreker|inbrekers|bel (?:de )?(?:politie|brandweer)|(?:politie|brandweer) bellen|bloedt|bloeden|stikt|stikken|verdrinkt|overdosis|neergestoken|neergeschoten|aangevallen|ik wil (?:dood|niet meer leven|sterven)|zelfmoord|mezelf (?:iets aandoen|van kant)|' +
      'gaslucht|gaslek|ruik (?:een )?gas|rook (?:uit|komt|in het|in de|overal)|vol rook|in de fik|(?:stuur|haal|roep|bel|waarschuw) (?:[^ ]+ ){0,3}(?:brandweer|politie|ambulance|hulpdiensten)|(?:brandweer|politie|ambulance) nodig|pijn (?:op|in) (?:de|mijn|zijn|haar) borst|pijn op de borst|(?:iemand|kind|man|vrouw|jongen|meisje) (?:is )?(?:net )?(?:aangereden|overreden)|(?:hij|ze|zij|man|vrouw|kind) beweegt (?:[^ ]+ )?niet|onder stroom|vergiftigd|wordt overvallen|word bedreigd|met een (?:mes|pistool) (?:[^ ]+ )?(?:bedreig|achter|voor)[^ ]*|epileptische aanval|wil er een eind aan maken|ongeluk gebeurd|ongeval gebeurd|bel 112|' +
      '(?:hij|ze|zij|man|vrouw|moeder|vader|collega|buurvrouw|buurman|kind|iemand|zoon|dochter|klant|oma|opa|vriend|vriendin|zus|broer) ligt (?:[^ ]+ ){0,3}(?:op de (?:grond|vloer|straat)|in het water)|reageert (?:[^ ]+ ){0,2}(?:niet|niets|nergens)|(?:in (?:het|de) (?:water|gracht|kanaal|sloot|rivier|zee|vijver)|van (?:het|de|een) (?:dak|trap|ladder|steiger)) (?:gevallen|gesprongen|beland)|viel (?:[^ ]+ )?(?:in het water|van het dak|van de trap|van de ladder)|' +
      'lichterlaaie|(?:zie|in) vlammen|vlammen slaan|ontploft|ontploffing|explosie|in elkaar geslagen|mishandeld|(?:zwaar|ernstig) ?gewond|ingeslikt|doorgeslikt|gif (?:gegeten|gedronken)|allergische reactie|vliezen (?:zijn )?gebroken|aan het bevallen|gewapend|overval|gijzel[^ ]*|(?:man|vrouw|vent|iemand|jongen|hij|ze) (?:[^ ]+ ){0,2}(?:met|heeft) een (?:mes|pistool|wapen)|vinger (?:[^ ]+ )?(?:af|afgesneden)|hart (?:is )?(?:gestopt|staat stil)|hart klopt niet|flauw gevallen|krijgt geen lucht|zit (?:[^ ]+ ){0,2}(?:klem|bekneld)|hulpdiensten|inbraak (?:bezig|gaande)',
    urgent: '(?:het|dit|t) is (?:een )?(?:noodgeval|noodsituatie|spoed)|noodgeval is',
  },
  de: {
    assent:
      'ja|jawohl|jo|jep|jup|joa|yes|genau|stimmt|richtig|korrekt|gern|gerne|klar|sicher|natuerlich|naturlich|exakt|bitte|ok|okay|gut|absolut|selbstverstandlich|m+ h+m+|m+h+m+|mhm|aha|das (?:meine|meinte) ich|' +
      'so ist es|eben|auf jeden fall|freilich|unbedingt|passt|' +
      'das ist es|denke schon|glaube schon|in der tat|logo|bestimmt|gewiss|super|perfekt|prima|jawoll|erzahlen sie|lassen sie horen|schiessen sie los|darum geht es|allerdings|wahrscheinlich|vermutlich|einverstanden',
    refusal:
      'nein|nee|ne|no|nicht|nie|kein|keine|gar nicht|etwas anderes|was anderes|falsch|' +
      'nix|nichts|niemals|keine[nrsm]?|keineswegs|keinesfalls|verkehrt|anders|missverst[^ ]*|irrtum|niemand|weder',
    plain_yes:
      'ja|jawohl|jo|jep|genau|ganz genau|stimmt|richtig|korrekt|exakt|absolut|selbstverstandlich|naturlich|das (?:stimmt|meine ich|meinte ich|wollte ich wissen|suche ich)',
    plain_no:
      'nein|nee|ne|no|noe|nicht (?:wirklich|ganz|direkt|das|so)|eher nicht|auf keinen fall|keineswegs|uberhaupt nicht|das (?!weiss )(?:[^ ]+ ){0,3}nicht|' +
      '(?:sie|du) (?:haben|hast|verstehen|verstehst) (?:mich|das|es) (?:[^ ]+ )?(?:falsch|nicht|missverstanden)(?: [^ ]+)?|ich (?:meine|meinte|suche|wollte|mochte|habe) (?:[^ ]+ )?(?:etwas|was) (?:ganz )?anderes',
    around:
      'das|die|der|den|ist|war|es|was|ich|meine|meinte|wollte|will|wissen|meine|frage|so|danke|schon|doch|na|ach|oh|also|ganz|bin|sie|dir|ihnen|ja|mal|leider|wirklich|anderes|etwas|hab|habe|gemeint|darum|geht|ungefahr|in etwa|mehr oder weniger|ah|ahm',
    contrast: 'aber|jedoch|sondern|nur',
    pass_on:
      '(?:sagen|richten) sie (?!mir|uns)(?:[^ ]+ ){1,4}dass|(?:sag|sagt|sagen|erzahlen|melden|informieren|fragen|bitten)(?! mir\\b| uns\\b)(?: sie)?(?! mir\\b| uns\\b)(?: bitte| einfach| doch| mal| nur)*(?: dem| der| den| ihm| ihr| ihnen)?(?: [^ ]+)?? dass|(?:dem|der|den|ihm|ihr|ihnen) (?:[^ ]+ )?(?:bitte )?(?:sagen|ausrichten|mitteilen|bescheid)|' +
      '(?:richten|richte) (?:sie )?(?:[^ ]+ ){0,4}aus|ausrichten|weitergeben|weiterleiten|(?:geben|gib|sagen) (?:sie )?(?:[^ ]+ ){0,3}(?:bescheid|weiter)|bescheid (?:geben|sagen)|nachricht (?:fur|hinterlassen|an)|notieren|aufschreiben|vermerken|(?:schreiben|schreib) (?:sie )?(?:[^ ]+ ){0,3}auf|in kenntnis setzen|ubermitteln|(?:der|die|herr|frau|jemand) (?:[^ ]+ )?(?:soll|sollte|mochte) (?:mich|uns) (?:[^ ]+ ){0,5}(?:anrufen|zuruckrufen)|' +
      '(?:konnen|konnten|wurden|wollen|kannst|konntest|wurdest|mochten) (?:sie|du) (?!mir |uns )(?:[^ ]+ ){1,6}(?:mitteilen|sagen|ausrichten|erzahlen|melden|informieren|erinnern|weitersagen) dass|(?:konnen|konnten|wurden|kannst) (?:sie|du) (?!mir |uns )(?:[^ ]+ ){0,4}(?:fragen|bitten) (?:ob|dass|mich)|' +
      '(?:sagen|sag|erzahlen|melden) (?:sie )?(?:bitte |einfach |mal |doch |nur )*(?:dem|ihm|ihrem|ihrer|ihren|eurem|meinem|herrn|frau)|uberbringen|(?:teilen|teil) (?:sie )?(?!mir |uns )(?:[^ ]+ ){1,5}mit',
    notice:
      'wollte (?:[^ ]+ ){0,2}(?:bescheid sagen|bescheid geben|mitteilen|sagen) dass|ich (?:muss|mochte|will|wurde gerne) (?:[^ ]+ ){0,6}(?:absagen|verschieben|stornieren|verlegen|abmelden)|ich kann (?:[^ ]+ ){0,4}nicht kommen|ich (?:komme|bin) (?:[^ ]+ ){0,4}(?:zu spat|spater)|' +
      'meine (?:telefon|handy|ruf)?(?:nummer|telefonnummer|handynummer) ist|meine nummer lautet|' +
      '(?<!(?:kann|konnte|darf|soll|sollte|wann|wie|ob|wenn) )(?:ich|wir) (?:[^ ]+ ){0,8}(?:absagen|verschieben|stornieren|verlegen|abmelden|umbuchen|krankmelden)|(?:ich|wir) (?:[^ ]+ ){0,3}im stau|(?:ich|wir) (?:schaffe|schaffen) es (?:[^ ]+ ){0,3}nicht|ich bin krank|verspate (?:mich|ich mich)',
    call_back:
      '(?:mich|uns) (?:[^ ]+ ){0,8}(?:anrufen|zuruckrufen)|anrufen|zuruckrufen|zuruckzurufen|zuruckgerufen|ruckruf|(?:rufen|ruf) (?:sie )?(?:mich|uns|bitte|an)|mich (?:bitte )?an(?:zu)?rufen|melden sie sich',
    farewell:
      '(?:schone[nrs]?|angenehme[nrs]?) (?:[^ ]+ )?(?:tag|abend|nachmittag|vormittag|wochenende|woche|feierabend|sonntag|feiertage|urlaub|zeit)|(?:lege?|leg) (?:ich )?(?:jetzt |dann |nun |mal |wieder |einfach )*auf|(?:muss|werde) (?:[^ ]+ )?auflegen|(?:sehen|horen|sprechen) (?:wir )?uns|man sieht sich|wunsche (?:ich )?(?:ihnen|dir|euch)|' +
      'bis (?:zum )?nachsten? mal|bis (?:bald|demnachst|nachher|die tage)|nicht (?:langer|weiter) (?:aufhalten|storen|belastigen)|mach(?:en sie|t)?(?: s| es)? gut|auf wieder[^ ]+|gute nacht|alles gute|tschau[^ ]*|tschuss[^ ]*|ade',
    abuse:
      'scheiss[^ ]*|scheisse|arsch[^ ]*|fick[^ ]*|hurensohn|wichser|fotze|schlampe|idiot|idioten|trottel|depp|vollidiot|halt (?:die|den|dein[^ ]*) (?:klappe|mund|maul|fresse)|maul halten|verpiss dich|leck mich|fahr zur holle|verdammt[^ ]*|fuck[^ ]*|betruger|abzocker|gauner|dummkopf|blodmann|schwachkopf|hirnlos[^ ]*|dreck(?:s|ig)[^ ]*|mistding|mistkerl|miststuck|zieh leine|hau(?:en sie)? ab|geh zum teufel|zum teufel mit|(?:konnen|kannst) mich mal|spinnst du|blechtrottel|pisser|penner|arschl[^ ]*|' +
      'alle tassen im schrank|einen vogel|nicht ganz (?:dicht|sauber|bei trost)|(?:spinnen|spinnst) (?:sie|du)|sie spinnen|du spinnst|(?:du|sie|ihr|alle) (?:bist|sind|seid) (?:[^ ]+ ){0,3}(?:dumm|blod|doof|taub|bescheuert|bekloppt|unfahig|verbrecher|betruger|lugner|diebe|idioten|amateure|nichtskonner|versager|nutzlos)|' +
      '(?:bist|sind|seid) (?:du|sie|ihr) (?:[^ ]+ ){0,3}(?:dumm|blod|doof|taub|bescheuert|bekloppt|behindert)|nichtskonner|versager|volltrottel|holzkopf|hohlkopf|dussel|lackaffe|(?:damliche|dumme|blode|doofe|bescheuerte|bekloppte|beschissene|behinderte|unfahige|miese|verfluchte)[rsnm]? (?:[^ ]+ )?(?:roboter|maschine|computer|kuh|sau|ziege|hund|kiste|automat|blechkiste|verein|laden|gans)|saubande|verbrecherbande|sauhaufen',
    rude:
      'nutzlos|blod|blode|bloder|dumm|dumme|mist|bescheuert|unfahig|lacherlich|schrott|saftladen|hasse dich|zum kotzen|frechheit|unverschamt[^ ]*|inkompetent[^ ]*|stumper|pfuscher|lugner|unmoglich|unfahige|eine zumutung|verarschen|witzfigur|quatschkopf|doof|doofe|bekloppt|' +
      '(?:damlich|dumm|blod|doof|bescheuert|bekloppt|beschissen|mies)(?:e[rsnm]?)?|verbrecher|lugner|amateure|schwachsinn|schwachsinnig[^ ]*|unverschamtheit',
    danger:
      'reagiert nicht|(?:stinkt|riecht|rieche|riechen) (?:[^ ]+ ){0,4}gas|(?:hals|zunge) (?:[^ ]+ )?schwillt|mundwinkel|krankenwagen|rettungswagen|notarzt|es brennt|feuer im|brennt|(?:atmet|atmen) (?:[^ ]+ )?nicht|keine luft|herzinfarkt|herzanfall|schlaganfall|herzstillstand|zusammengebrochen|bewusstlos|ohnmachtig|nicht bei bewusstsein|' +
      'eingebrochen|einbrecher|einbruch gerade|(?:rufen|ruf) (?:sie )?die (?:polizei|feuerwehr)|(?:polizei|feuerwehr) rufen|blutet|verblutet|erstickt|ersticken|ertrinkt|uberdosis|niedergestochen|angeschossen|uberfallen|umbringen|selbstmord|suizid|nicht mehr leben|will sterben|' +
      'gasgeruch|riecht (?:hier )?nach gas|rauch (?:kommt|dringt|aus|uberall)|voller rauch|alles voll rauch|(?:schicken|schick|holen|hol|rufen|ruf|brauchen|brauche) (?:sie )?(?:[^ ]+ ){0,3}(?:polizei|feuerwehr|notarzt|rettung|rettungsdienst)|in flammen|schmerzen in der brust|brustschmerzen|(?:jemand|kind|mann|frau|junge|madchen) (?:[^ ]+ )?(?:uberfahren|angefahren)|(?:er|sie|mann|frau|kind) bewegt sich nicht|stromschlag|vergiftet|werde (?:gerade )?(?:bedroht|uberfallen|verfolgt)|krampfanfall|es gab einen unfall|unfall passiert|einen unfall hier|' +
      'reagiert (?:[^ ]+ ){0,2}(?:nicht|nichts)|(?:ins wasser|in (?:den|einen) (?:kanal|fluss|see|bach|teich|pool)|vom (?:dach|gerust)|von der leiter|die treppe (?:runter|hinunter)) (?:gefallen|gesturzt|gesprungen)|(?:er|sie|mann|frau|mutter|vater|kollege|kollegin|nachbar|nachbarin|kind|jemand|sohn|tochter|oma|opa) liegt (?:[^ ]+ ){0,3}(?:boden|strasse|wasser)|flammen schlagen|explosion|explodiert|(?:schwer|stark) verletzt|verungluckt|' +
      'verschluckt|allergische[nr]? (?:reaktion|schock)|die wehen|fruchtblase|bewaffnet|geisel[^ ]*|(?:mann|frau|typ|jemand|er|sie) (?:[^ ]+ ){0,2}(?:mit|hat) (?:einem|ein|einer|eine) (?:messer|pistole|waffe)|finger (?:[^ ]+ )?ab(?:geschnitten|getrennt)|herz (?:schlagt nicht|steht still)|bekommt (?:[^ ]+ )?keine luft|zusammengeschlagen|raububerfall|rettungsdienst|bricht (?:gerade )?(?:jemand )?ein',
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
    farewell:
      '(?:bonne|belle|excellente) (?:journee|soiree|nuit|semaine|continuation|fin de [^ ]+|apres midi)|bon (?:week end|weekend|apres midi)|je (?:vais )?raccroche[r]?|a (?:la prochaine|tres bientot|tout a l heure)',
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
    farewell:
      '(?:buen|feliz) (?:dia|fin de semana|finde)|que (?:tenga|tengas|tengan|pase|pases|pasen) (?:un |una |buen |buena )?[^ ]+|que (?:le|te|les) vaya bien|nos vemos|voy a colgar|hasta (?:la proxima|otra|la vista)',
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
    farewell:
      '(?:buona|bella|splendida) (?:giornata|serata|notte|domenica|settimana|continuazione)|buon (?:fine settimana|weekend|week end|lavoro|proseguimento)|ci (?:vediamo|sentiamo)|riattacco|alla prossima|stia bene',
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

/** Compiles the pattern of an intent, which matches whole words of folded text. */
export function intentPattern(language: Language, intent: keyof IntentPatterns): RegExp {
  const key = `${language} ${intent}`
  const known = compiled.get(key)
  if (known !== undefined) return known
  const pattern = new RegExp(`(?<= |^)(?:${sources[language][intent]})(?= |$)`, 'gu')
  compiled.set(key, pattern)
  return pattern
}
