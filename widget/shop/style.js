/** The style of the cart, inside its shadow tree. Sites set --hp-accent and --hp-on-accent. */
export const style = `
:host{all:initial;color-scheme:light dark}
*{box-sizing:border-box;font:inherit}
[hidden]{display:none!important}
.all{font:16px/1.45 system-ui,sans-serif;color:light-dark(#1b1d1f,#eee)}
button{cursor:pointer;color:inherit;background:none;border:0;padding:10px}
button:disabled{opacity:.6;cursor:default}
:focus-visible{outline:3px solid var(--hp-accent,#0b5d66);outline-offset:2px}
.open,.pay{background:var(--hp-accent,#0b5d66);color:var(--hp-on-accent,#fff);font-weight:600;border-radius:10px;padding:12px 18px}
.open{position:fixed;z-index:2147482000;bottom:calc(16px + env(safe-area-inset-bottom,0px));left:16px;box-shadow:0 4px 20px #0005}
.pay{width:100%;margin-top:16px}
dialog{width:min(440px,100vw - 24px);max-height:calc(100dvh - 24px);overflow:auto;padding:18px;border:0;border-radius:14px;
background:light-dark(#fff,#1f2225);color:inherit}
dialog::backdrop{background:#0007}
header,li,.total{display:flex;align-items:center;justify-content:space-between;gap:10px}
h2{margin:0;font-size:20px;font-weight:650}
ul{margin:8px 0 0;padding:0;list-style:none}
li{padding:8px 0;border-bottom:1px solid light-dark(#e3e1dc,#3a3f44)}
li span:first-child{flex:1;overflow-wrap:anywhere}
.total{padding:12px 0;font-weight:650}
label{display:block;margin-top:10px;font-size:14px}
input,textarea{display:block;width:100%;padding:10px;border:1px solid light-dark(#8a8f94,#6c7378);border-radius:8px;
background:light-dark(#fff,#16181a);color:inherit;font-size:16px}
li input{width:72px}
.fault{color:light-dark(#a3271b,#ff9d94)}
p{margin:10px 0 0}`
