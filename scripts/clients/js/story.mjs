// Tells the story with the AWS SDK for JavaScript, chapter by chapter, to the endpoint that the environment names.
import { made, Surprise } from "./expect.mjs";

for (const name of process.argv.slice(2)) {
  const before = made.checks;
  const start = Date.now();
  try {
    const did = await (await import(`./${name}.mjs`)).chapter();
    const seconds = ((Date.now() - start) / 1000).toFixed(1);
    console.log(`   ${name.padEnd(13)} ${did} (${made.checks - before} checks, ${seconds} s)`);
  } catch (error) {
    console.error(`   ${name.padEnd(13)} SURPRISE: ${told(error)}`);
    process.exit(1);
  }
}

// What was expected, what came, and where in the story.
function told(error) {
  const places = [...error.stack.matchAll(/[\w-]+\.mjs:\d+/g)].map(([place]) => place);
  const ours = places.find((place) => !/^(expect|shop|follow)/.test(place)) ?? "?";
  if (error instanceof Surprise) return `${error.message}\n     at:       ${ours}`;
  return `a call failed\n     expected: an answer\n     came:     ${error.name}: ${error.message}\n     at:       ${ours}`;
}
