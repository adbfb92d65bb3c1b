// Runs the inspector's command line once for each list of arguments, in one process and by the entry that its launcher
// uses; what each run printed, and whether it failed, is printed as JSON.
const { runCli } = await import("@modelcontextprotocol/inspector/clients/cli/build/index.js");
const [program, script] = process.argv;
const write = process.stdout.write.bind(process.stdout);
const runs = [];
for (const options of JSON.parse(process.argv[2])) {
  let printed = "";
  process.stdout.write = (text, encoding, done) => {
    printed += text;
    (typeof encoding === "function" ? encoding : done)?.();
    return true;
  };
  const failed = await runCli([program, script, ...options]).then(
    () => false,
    () => true,
  );
  runs.push({ printed, failed });
}
write(JSON.stringify(runs));
