/** What a careless or hostile person may call a file. Most contain `zqx`, so that a stray file can be recognized. */
export const fileNames: readonly string[] = [
  // Up and out of the folder, and directly to another.
  ...String.raw`../zqx.csv ../../zqx.csv ../../../../../../../../tmp/zqx.csv /tmp/zqx.csv /etc/zqx.csv ./zqx.csv
    ..\zqx.csv ..\..\..\zqx.csv ....//zqx.csv ..././zqx.csv zqx/../../zqx.csv zqx.1/zqx.report.csv
    //server/share/zqx.csv \\server\share\zqx.csv ~/zqx.csv ~root/zqx.csv ~zqx.csv $HOME/zqx.csv
    %TEMP%\zqx.csv $(pwd)zqx.csv file:///tmp/zqx.csv http://127.0.0.1/zqx.csv /proc/self/cwd/zqx.csv`.split(/\s+/),
  // The same with the escapes of an address.
  ...`%2e%2e%2fzqx.csv %2e%2e/zqx.csv ..%2fzqx.csv ..%5czqx.csv %252e%252e%252fzqx.csv ..%c0%afzqx.csv
    ..%u2215zqx.csv %00zqx.csv &#46;&#46;/zqx.csv`.split(/\s+/),
  'zqx%0d%0aset-cookie: a=b.csv',
  // Drives, streams and devices of Windows.
  ...String.raw`C:zqx.csv C:\zqx.csv C:/zqx.csv zqx.csv::$DATA zqx:hidden.csv \\?\C:\zqx.csv \\.\COM1
    CON con.csv CON.zqx.csv PRN.csv AUX.csv nul NUL.csv COM1.csv LPT9.csv CLOCK$.csv`.split(/\s+/),
  // Difficult for terminals, headers and databases.
  ...['zqx\0.csv', 'zqx\0/../../x.csv', 'zqx\n.csv', 'zqx\r\nx-evil: 1.csv', 'zqx\t.csv', '\x1b[31mzqx.csv'],
  ...['zqx\x7f\x85.csv', 'zqx\u202evsc.csv', '\u202evsc.zqx', 'zqx\u200b.csv', '\ufeffzqx.csv', 'zqx\u2028.csv'],
  ...['zqx\ud800.csv', 'ação-zqx.csv', 'ac\u0327a\u0303o-zqx.csv', '．．／zqx.csv', '∕zqx∕.csv', '‥zqx.csv'],
  ...['日本語-zqx.csv', '😀zqx.csv', 'ﬁ-zqx.csv'],
  // Dots, blanks, dashes, quotes.
  ...['.zqx.csv', '..zqx.csv', '...', '..', '.', ' ', 'zqx.', 'zqx.csv.', 'zqx.csv ', ' zqx .csv', '.csv', 'zqx..csv'],
  ...['.htaccess', '-zqx.csv', '--out=zqx.csv', '-rf', 'zqx";filename="evil.csv', "zqx'.csv", 'zqx`id`.csv'],
  ...['zqx;id|id.csv', '*zqx?.csv', '<img src=x>zqx.csv', 'zqx.csv.part', 'zqx.tmp', 'zqx.report.csv'],
  'zqx.manifest.json',
  // Too long for a disk, in letters and in bytes.
  ...[`${'zqx'.repeat(80)}.csv`, `${'ã'.repeat(120)}zqx.csv`, `${'漢'.repeat(80)}.csv`, `${'𠮷'.repeat(60)}.csv`],
  ...[`${'zqx'.repeat(300)}.csv`, `zqx.${'a'.repeat(300)}`, `${'a/'.repeat(200)}zqx.csv`, `${'x'.repeat(79)}𠮷zqx.csv`],
]

/** Those that a disk of this machine can hold in a folder. */
export const possibleNames = fileNames.filter(
  (name) => !/[/\0]/.test(name) && !/^\.{0,2}$/.test(name) && name.isWellFormed() && Buffer.byteLength(name) <= 245,
)
