/**
 * Addresses that no page may link to, load or send forms to, and why. One a line:
 * `host[/path]  link|load  reason`. A host covers everything below it (its subdomains), a path
 * everything that begins with it. `link` stops any mention in an address; `load` stops scripts,
 * frames, styles and pictures of it and leaves links alone, because pages that warn of it link to it.
 * HOMEPORT_BAD_LINKS names a file of the same form with more, which an operator keeps up to date.
 */
export const badLinkList = `
# Addresses of the test lists of browsers, by which it can be tried whether this list works.
testsafebrowsing.appspot.com    link    Google's test address for malware and phishing warnings
malware.testing.google.test     link    the test address of Safe Browsing
malware.wicar.org               link    WICAR's test pages, which contain exploits to try protection with
phishing.wicar.org              link    WICAR's test pages, which contain exploits to try protection with

# Links that pretend to be something else in order to record who opens them.
grabify.link       link    records the address and device of whoever opens it, behind a harmless name
grabify.icu        link    another name of grabify.link
iplogger.org       link    records the address and place of whoever opens it
iplogger.com       link    another name of iplogger.org
iplogger.ru        link    another name of iplogger.org
iplogger.co        link    another name of iplogger.org
iplis.ru           link    another name of iplogger.org
2no.co             link    another name of iplogger.org
yip.su             link    another name of iplogger.org
maper.info         link    another name of iplogger.org
ezstat.ru          link    another name of iplogger.org
blasze.tk          link    records the address of whoever opens it
blasze.com         link    records the address of whoever opens it
ps3cfw.com         link    records the address of whoever opens it
lovebird.guru      link    a disguise of grabify.link
leancoding.co      link    a disguise of grabify.link
spottyfly.com      link    a disguise of grabify.link that looks like Spotify
stopify.co         link    a disguise of grabify.link that looks like Spotify
gyazo.nl           link    a disguise of grabify.link that looks like Gyazo
freegiftcards.co   link    a disguise of grabify.link that promises gift cards
joinmy.site        link    a disguise of grabify.link
curiouscat.club    link    a disguise of grabify.link that looks like Curious Cat
catsnthings.fun    link    a disguise of grabify.link
catsnthing.com     link    a disguise of grabify.link
youshouldclick.us  link    a disguise of grabify.link
xn--yutube-iqc.com link    a disguise of an address recorder that looks like YouTube
screenshare.host   link    a disguise of grabify.link
imageshare.best    link    a disguise of grabify.link
partpicker.shop    link    a disguise of grabify.link
sportshub.bar      link    a disguise of grabify.link
otherhalf.life     link    a disguise of grabify.link
bvog.com           link    a disguise of an address recorder

# Scripts that compute coins on the devices of visitors.
coinhive.com         load    ran a coin miner in the browsers of visitors; its domain belongs to others now
coin-hive.com        load    another name of coinhive.com
authedmine.com       load    another name of coinhive.com
cnhv.co              load    short links of coinhive.com that made visitors compute
crypto-loot.com      load    runs a coin miner in the browsers of visitors
crypto-loot.org      load    runs a coin miner in the browsers of visitors
cryptaloot.pro       load    runs a coin miner in the browsers of visitors
coinimp.com          load    runs a coin miner in the browsers of visitors
hostingcloud.racing  load    delivers the miner of coinimp.com under changing names
webminepool.com      load    runs a coin miner in the browsers of visitors
minero.cc            load    runs a coin miner in the browsers of visitors
jsecoin.com          load    ran a coin miner in the browsers of visitors
coinerra.com         load    ran a coin miner in the browsers of visitors

# Script hosts that were bought in 2024 and have since added redirects to gambling and malware.
polyfill.io          load    has delivered malware since it was sold in 2024; modern browsers need no polyfill
polyfill.com         load    belongs to those who added malware to polyfill.io
bootcdn.net          load    belongs to those who added malware to polyfill.io
bootcss.com          load    belongs to those who added malware to polyfill.io
staticfile.net       load    belongs to those who added malware to polyfill.io
staticfile.org       load    belongs to those who added malware to polyfill.io
unionadjs.com        load    belongs to those who added malware to polyfill.io
xhsbpza.com          load    belongs to those who added malware to polyfill.io
macoms.la            load    belongs to those who added malware to polyfill.io
newcrbpc.com         load    belongs to those who added malware to polyfill.io
googie-anaiytics.com load    delivered the malware of polyfill.io under a name like Google Analytics
kuurza.com           load    received visitors that the malware of polyfill.io sent away
`
