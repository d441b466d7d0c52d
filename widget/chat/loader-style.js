/**
 * The style of the button. The rules of `:host` are important, because important rules inside a shadow
 * tree win over those of the page, whatever its selectors.
 */
export const loaderStyle = `
:host{all:initial!important;display:block!important;position:fixed!important;top:0!important;left:0!important;
width:0!important;height:0!important;direction:ltr!important;
z-index:var(--homeport-chat-z-index,2147483000)!important}
@media print{:host{display:none!important}}
*,*::before,*::after{box-sizing:border-box}
[hidden]{display:none!important}
.all{font:15px/1.45 var(--homeport-chat-font,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif);
color:var(--text);-webkit-text-size-adjust:100%;text-align:start}
.launcher{position:fixed;bottom:calc(var(--homeport-chat-offset-y,20px) + env(safe-area-inset-bottom,0px));
width:56px;height:56px;padding:0;border:0;border-radius:50%;background:var(--accent);color:var(--on-accent);cursor:pointer;
box-shadow:0 1px 6px #0000000f,0 4px 24px #00000038;transition:transform .16s ease;
-webkit-tap-highlight-color:transparent;touch-action:manipulation}
.right .launcher,.right .tip{right:calc(var(--homeport-chat-offset-x,20px) + env(safe-area-inset-right,0px))}
.left .launcher,.left .tip{left:calc(var(--homeport-chat-offset-x,20px) + env(safe-area-inset-left,0px))}
.launcher:hover{transform:scale(1.06)}
.launcher:active{transform:scale(.96)}
.launcher:focus-visible{outline:3px solid var(--ink);outline-offset:3px}
.launcher svg{position:absolute;inset:0;margin:auto;width:28px;height:28px;transition:opacity .16s,transform .16s}
.launcher[aria-expanded=true] svg:first-of-type,.launcher[aria-expanded=false] svg:last-of-type{opacity:0;transform:rotate(30deg) scale(.6)}
.launcher[aria-busy=true] svg{animation:pulse 1s infinite}
svg{fill:none;stroke:currentColor;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}
.badge{position:absolute;top:-3px;inset-inline-end:-3px;min-width:22px;height:22px;padding:0 6px;border-radius:11px;
background:#c8201a;color:#fff;font:600 12px/22px inherit;font-size:12px;line-height:22px;font-weight:600;text-align:center}
.tip{position:fixed;bottom:calc(var(--homeport-chat-offset-y,20px) + 68px + env(safe-area-inset-bottom,0px));margin:0;padding:10px 14px;
max-width:min(280px,calc(100vw - 40px));border-radius:12px;background:var(--back);color:var(--text);
border:1px solid var(--line);box-shadow:0 4px 24px #0000002e}
.tip:empty{display:none}
@keyframes pulse{50%{opacity:.4}}
@media (prefers-reduced-motion:reduce){*{transition:none!important;animation:none!important}}
@media (forced-colors:active){.launcher{border:2px solid ButtonText}}
`
