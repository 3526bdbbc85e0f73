/** Look of the page; follows the light or dark setting of the reader. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--ink:#1c2024;--soft:#60646c;--line:#e0e1e6;--ground:#fff;--raised:#f5f6f8;--call:#2f6fdb;--bad:#cf3434;--open:#c47a0a;--note:#8b8d98}
@media (prefers-color-scheme:dark){:root{--ink:#edeef0;--soft:#a0a4ab;--line:#2e3135;--ground:#111214;--raised:#1a1b1e;--call:#6ea8ff;--bad:#ff7b72;--open:#f0b429;--note:#777b84}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:14px/1.45 system-ui,sans-serif}
header{position:sticky;top:0;z-index:1;background:var(--ground);border-bottom:1px solid var(--line);padding:.75rem 1.25rem}
h1{font-size:1.1rem;margin:0}h2{font-size:1rem;margin:2rem 0 .5rem}
header p{margin:.25rem 0 0;color:var(--soft)}
.tools{display:flex;gap:1rem;align-items:center}
input[type=search]{font:inherit;padding:.3rem .5rem;border:1px solid var(--line);border-radius:6px;background:var(--raised);color:inherit;width:20rem;max-width:60vw}
main{padding:.5rem 1.25rem 3rem}
.axis{position:relative;height:1.5rem;margin-left:calc(5.5rem + 22rem);margin-right:9rem;color:var(--soft);font-size:12px}
.axis span{position:absolute;transform:translateX(-50%);white-space:nowrap}
.axis span:first-child{transform:none}.axis span:last-child{transform:translateX(-100%)}
summary{display:grid;grid-template-columns:5.5rem 22rem 1fr 9rem;align-items:center;min-height:1.7rem;cursor:pointer;list-style:none;border-radius:4px}
summary::-webkit-details-marker{display:none}
summary:hover{background:var(--raised)}summary:focus-visible{outline:2px solid var(--call)}
.time{color:var(--soft);font-variant-numeric:tabular-nums;font-size:12px}
.label{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;padding-right:1rem}
.lane{position:relative;height:1.7rem;border-right:1px solid var(--line);background:repeating-linear-gradient(90deg,var(--line) 0 1px,transparent 1px 25%)}
.lane i{position:absolute;top:.45rem;height:.8rem;min-width:3px;border-radius:2px;background:var(--call)}
.note .lane i,.stray .lane i,.exit .lane i{background:var(--note)}
.failed .lane i{background:var(--bad)}.failed .label,.failed .fact{color:var(--bad)}
.open .lane i{background:repeating-linear-gradient(45deg,var(--open) 0 4px,transparent 4px 8px)}.open .fact{color:var(--open)}
.note .label,.stray:not(.failed) .label{color:var(--soft)}
.fact{text-align:right;white-space:nowrap;padding-left:.5rem;font-variant-numeric:tabular-nums;font-size:12px}
pre{margin:.25rem 0 .75rem 5.5rem;padding:.75rem;background:var(--raised);border-radius:6px;overflow:auto;max-height:30rem;font:12px/1.5 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
.figures{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.3rem .8rem;text-align:right;border-bottom:1px solid var(--line)}
th:first-child{text-align:left;font-weight:500}thead th{color:var(--soft);font-weight:500}
[hidden]{display:none}
@media (max-width:800px){summary{grid-template-columns:4.5rem 1fr auto}.lane,.axis{display:none}pre{margin-left:0}}
`;

/** Filtering, without anything from elsewhere. */
export const PAGE_SCRIPT = `
const filter=document.getElementById('filter'),errors=document.getElementById('errors'),rows=[...document.querySelectorAll('.row')];
const nothing=document.getElementById('nothing');
function apply(){const text=filter.value.toLowerCase();for(const row of rows){const isTrouble=row.matches('.failed,.open');row.hidden=(errors.checked&&!isTrouble)||(text!==''&&!row.textContent.toLowerCase().includes(text))}nothing.hidden=rows.some((row)=>!row.hidden)}
filter.addEventListener('input',apply);errors.addEventListener('change',apply);
`;
