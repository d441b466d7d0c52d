/** The style of the panel. Directions are logical; the page may set the documented properties. */
export const panelStyle = `
.panel{position:fixed;bottom:calc(var(--homeport-chat-offset-y,20px) + 72px + env(safe-area-inset-bottom,0px));
display:flex;flex-direction:column;width:min(400px,calc(100vw - 40px));
height:min(680px,calc(100vh - 2*var(--homeport-chat-offset-y,20px) - 72px));
height:min(680px,calc(100dvh - 2*var(--homeport-chat-offset-y,20px) - 72px));
border-radius:var(--homeport-chat-radius,16px);overflow:hidden;background:var(--back);color:var(--text);
box-shadow:0 5px 40px #00000029,0 1px 3px #0000001f;outline:0;animation:rise .22s cubic-bezier(.2,.9,.3,1)}
.right .panel{right:calc(var(--homeport-chat-offset-x,20px) + env(safe-area-inset-right,0px));transform-origin:bottom right}
.left .panel{left:calc(var(--homeport-chat-offset-x,20px) + env(safe-area-inset-left,0px));transform-origin:bottom left}
@keyframes rise{from{opacity:0;transform:translateY(14px) scale(.97)}}
.quiet{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
p{margin:0}
button,input,textarea{font:inherit;color:inherit;letter-spacing:inherit}
button{cursor:pointer;-webkit-tap-highlight-color:transparent;touch-action:manipulation}
header{display:flex;align-items:center;gap:12px;padding:16px 12px 16px 20px;padding-inline:20px 12px;background:var(--accent);color:var(--on-accent)}
header div{flex:1;min-width:0}
.title{font-size:17px;font-weight:650;line-height:1.25;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.subtitle{font-size:13px;line-height:1.35}
.avatar{flex:none;width:40px;height:40px;border-radius:50%;background:var(--on-accent);color:var(--accent);font-size:18px;font-weight:700;line-height:40px;text-align:center;text-transform:uppercase}
header button{flex:none;display:grid;place-items:center;width:40px;height:40px;padding:0;border:0;border-radius:10px;background:none;color:inherit}
header button:hover{background:#ffffff26}
header svg{width:22px;height:22px}
:focus-visible{outline:2px solid var(--ink);outline-offset:2px}
header :focus-visible{outline-color:var(--on-accent);outline-offset:-3px}
.scroll{flex:1;min-height:0;overflow-y:auto;overscroll-behavior:contain;padding:20px;scrollbar-width:thin;scrollbar-color:var(--line) transparent}
.scroll:focus-visible{outline-offset:-3px}
.log{display:flex;flex-direction:column;gap:4px}
.message{display:flex;flex-direction:column;align-items:flex-start;max-width:86%;animation:appear .18s}
.message+.message{margin-block-start:2px}
.message.visitor{align-self:flex-end;align-items:flex-end}
@keyframes appear{from{opacity:0;transform:translateY(6px)}}
.bubble{padding:10px 14px;border-radius:18px;border-end-start-radius:6px;background:var(--soft);white-space:pre-wrap;overflow-wrap:anywhere;text-align:start}
.visitor .bubble{background:var(--accent);color:var(--on-accent);border-end-start-radius:18px;border-end-end-radius:6px}
.human .bubble{background:none;border:1px solid var(--line)}
.message.system{align-self:center;max-width:100%;margin-block:10px;text-align:center}
.system .bubble{padding:0 12px;background:none;color:var(--muted);font-size:13px}
.system .meta{display:none}
.meta{margin-block:4px 10px;padding-inline:4px;color:var(--muted);font-size:12px}
.meta button{padding:2px 4px;border:0;background:none;color:var(--bad);font-weight:600;text-decoration:underline}
a{color:var(--ink);text-underline-offset:2px;border-radius:4px}
.sources{display:flex;flex-wrap:wrap;gap:6px;margin:6px 0 0;padding:0;list-style:none;max-width:100%}
.sources li{max-width:100%}
.sources a{display:block;max-width:100%;padding:4px 10px;border:1px solid var(--line);border-radius:12px;color:var(--ink);font-size:13px;text-decoration:none;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.sources a:hover,.ways a:hover,.ways button:hover{background:var(--soft)}
.live{margin-block-start:6px}
.dots{display:flex;gap:5px;padding-block:15px}
.dots i{width:7px;height:7px;border-radius:50%;background:var(--muted);animation:bounce 1.2s infinite}
.dots i:nth-child(2){animation-delay:.15s}
.dots i:nth-child(3){animation-delay:.3s}
@keyframes bounce{0%,60%,100%{opacity:.4}30%{opacity:1;transform:translateY(-4px)}}
.chips{display:flex;flex-wrap:wrap;gap:8px;justify-content:flex-end;margin-block-start:12px}
.chips:empty,.place:empty,.notice:empty{display:none}
.chips button{max-width:100%;padding:8px 14px;border:1px solid var(--ink);border-radius:18px;background:none;color:var(--ink);text-align:start;line-height:1.3}
.chips button:hover{background:var(--soft)}
.place{margin-block-start:14px}
.card{display:flex;flex-direction:column;gap:12px;padding:16px;border:1px solid var(--line);border-radius:14px;background:var(--back);box-shadow:0 1px 8px #00000012}
label{display:block;font-size:13px;font-weight:600}
input,.card textarea{display:block;width:100%;margin-block-start:4px;padding:9px 12px;border:1px solid var(--muted);border-radius:10px;background:var(--field);font-size:16px;font-weight:400}
.card textarea{resize:vertical}
[aria-invalid=true]{border-color:var(--bad)}
.wrong{color:var(--bad);font-size:13px;font-weight:500}
.wrong:empty{display:none}
.actions{display:flex;flex-wrap:wrap;gap:8px}
.column{flex-direction:column;align-items:stretch}
.card button{padding:10px 16px;border:1px solid var(--line);border-radius:10px;background:none;font-weight:600}
.card button:hover{background:var(--soft)}
.card .primary{border-color:var(--accent);background:var(--accent);color:var(--on-accent)}
.card .primary:hover{background:var(--accent);filter:brightness(1.08)}
footer{padding:8px 16px 16px;border-block-start:1px solid var(--line);background:var(--back)}
.notice{padding:6px 4px 8px;color:var(--bad);font-size:13px}
.notice button{padding:0;border:0;background:none;color:inherit;font-weight:600;text-decoration:underline}
.ways{display:flex;flex-wrap:wrap;gap:2px;margin-block-end:6px}
.ways a,.ways button{display:inline-flex;align-items:center;gap:6px;min-height:32px;padding:4px 8px;border:0;border-radius:8px;background:none;color:var(--muted);font-size:13px;font-weight:500;text-decoration:none}
.ways svg{flex:none;width:16px;height:16px}
.card .ways a{color:var(--ink);font-size:15px;border:1px solid var(--line);padding:9px 12px}
.composer{display:flex;align-items:flex-end;gap:8px;padding:5px 5px 5px 16px;padding-inline:16px 5px;border:1px solid var(--muted);border-radius:24px;background:var(--field)}
.composer:focus-within{outline:2px solid var(--ink);outline-offset:-1px;border-color:transparent}
.composer textarea{flex:1;min-width:0;height:36px;max-height:132px;padding:6px 0;border:0;outline:0;resize:none;background:none;font-size:16px;line-height:24px}
.composer textarea::placeholder{color:var(--muted);opacity:1}
.send{flex:none;display:grid;place-items:center;width:36px;height:36px;padding:0;border:0;border-radius:50%;background:var(--soft);color:var(--muted);transition:background .15s}
.send svg{width:20px;height:20px;stroke-width:2.2}
.send.ready{background:var(--accent);color:var(--on-accent)}
@media (max-width:480px),(max-height:480px){
.opened .launcher{display:none}
.panel,.right .panel,.left .panel{inset:var(--top,0) 0 auto 0;width:100%;height:var(--height,100dvh);border-radius:0;animation-name:appear}
header{padding-block-start:calc(12px + env(safe-area-inset-top,0px));padding-block-end:12px}
footer{padding-block-end:calc(12px + env(safe-area-inset-bottom,0px))}
.ways a,.ways button{min-height:40px}
}
@media (forced-colors:active){.panel,.bubble,.send{border:1px solid CanvasText}}
`
