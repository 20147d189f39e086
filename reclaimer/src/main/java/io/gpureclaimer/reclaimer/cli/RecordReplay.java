package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.reclaimer.audit.record.Decision;
import io.gpureclaimer.reclaimer.audit.record.Decision.Replay;
import io.gpureclaimer.reclaimer.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** Decides again what was recorded, and says whether it comes out the same. One use only. */
final class RecordReplay {
  static final int DIFFERS = 1;

  private int lines;
  private int same;
  private int other;
  private int malformed;

  /**
   * Reads a file of records, or a log, to its end.
   *
   * @param file {@code -} for the standard input
   * @return the exit code
   */
  static int of(String file) {
    try (BufferedReader reader = open(file)) {
      return new RecordReplay().replay(file, reader);
    } catch (NoSuchFileException _) {
      return ExitCode.userError("--record must be a file of records, there is no " + file);
    } catch (IOException e) {
      return ExitCode.userError("--record " + file + " cannot be read: " + e.getMessage());
    }
  }

  private static BufferedReader open(String file) throws IOException {
    return file.equals("-")
        ? new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
        : Files.newBufferedReader(Path.of(file));
  }

  private int replay(String file, BufferedReader reader) throws IOException {
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      lines++;
      Optional<String> record = Decision.inLogLine(line);
      if (record.isPresent()) {
        replay(record.get());
      }
    }
    if (same + other + malformed == 0) {
      return ExitCode.userError("--record must hold a record, " + file + " holds none");
    }
    System.out.println(same + " of " + (same + other + malformed) + " the same");
    return malformed > 0 ? ExitCode.USER_ERROR : other > 0 ? DIFFERS : ExitCode.OK;
  }

  private void replay(String record) {
    try {
      report(Decision.read(record));
    } catch (Json.Malformed e) {
      malformed++;
      System.out.println("line " + lines + ": cannot be read: " + e.getMessage());
    }
  }

  private void report(Decision decision) {
    String subject =
        "line " + lines + ": " + decision.workload() + " at " + decision.inputs().now();
    switch (decision.replay()) {
      case Replay.Same() -> {
        same++;
        System.out.println(subject + ": the same: " + decision.verdict());
      }
      case Replay.Different(String recorded, String now) -> {
        other++;
        System.out.println(subject + ": recorded " + recorded + "; judged again " + now);
      }
    }
  }
}
