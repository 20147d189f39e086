package io.gpureclaimer.reclaimer.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.slf4j.LoggerFactory;

/**
 * Output and exit code of one run of the program, which logs warnings only, as commands do in a
 * process of their own.
 */
record Console(int exitCode, String out, String err) {

  static Console of(String... args) {
    return with(Map.of(), args);
  }

  static Console with(Map<String, String> environment, String... args) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    PrintStream realOut = System.out;
    PrintStream realErr = System.err;
    var log = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    Level realLevel = log.getLevel();
    try (var printedOut = new PrintStream(out, true, StandardCharsets.UTF_8);
        var printedErr = new PrintStream(err, true, StandardCharsets.UTF_8)) {
      System.setOut(printedOut);
      System.setErr(printedErr);
      log.setLevel(Level.WARN);
      int exitCode = CommandLineProgram.parser(environment).execute(args);
      return new Console(
          exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(realOut);
      System.setErr(realErr);
      log.setLevel(realLevel);
    }
  }
}
