package io.gpureclaimer.reclaimer.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Output and exit code of one run of the program. */
record Console(int exitCode, String out, String err) {

  static Console of(String... args) {
    return with(Map.of(), args);
  }

  static Console with(Map<String, String> environment, String... args) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    PrintStream realOut = System.out;
    PrintStream realErr = System.err;
    try (var printedOut = new PrintStream(out, true, StandardCharsets.UTF_8);
        var printedErr = new PrintStream(err, true, StandardCharsets.UTF_8)) {
      System.setOut(printedOut);
      System.setErr(printedErr);
      int exitCode = CommandLineProgram.parser(environment).execute(args);
      return new Console(
          exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(realOut);
      System.setErr(realErr);
    }
  }
}
