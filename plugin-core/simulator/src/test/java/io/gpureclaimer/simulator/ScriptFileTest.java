package io.gpureclaimer.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

@Isolated("reads the log")
class ScriptFileTest {
  private static final Logger LOG = (Logger) LoggerFactory.getLogger(ScriptFile.class);

  @TempDir private Path folder;

  private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
  private Path file;
  private ScriptFile script;

  @BeforeEach
  void listen() {
    logged.start();
    LOG.addAppender(logged);
    file = folder.resolve("script.yaml");
    script = new ScriptFile(file, 8);
  }

  @AfterEach
  void stopListening() {
    LOG.detachAppender(logged);
  }

  @Test
  void isReadAgain_whenItChanges() throws IOException {
    Files.writeString(file, "- {gpu: 0, utilization: 10}");
    assertThat(script.get()).isEqualTo(Script.of(GpuScript.busy(0, 10)));

    Files.writeString(file, "- {gpu: 0, utilization: 100}");
    assertThat(script.get()).isEqualTo(Script.of(GpuScript.busy(0, 100)));
    assertThat(warnings()).isEmpty();
  }

  @Test
  void isReadAgain_whenAnotherFileTakesItsPlace() throws IOException {
    Files.writeString(file, "- {gpu: 0, utilization: 10}");
    assertThat(script.get()).isEqualTo(Script.of(GpuScript.busy(0, 10)));
    Path other = Files.writeString(folder.resolve("other"), "- {gpu: 1, utilization: 10}");
    Files.setLastModifiedTime(other, Files.getLastModifiedTime(file));

    Files.move(other, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    assertThat(script.get()).isEqualTo(Script.of(GpuScript.busy(1, 10)));
  }

  @Test
  void theLastGoodScriptStays_withOneWarning_whenTheFileIsBad() throws IOException {
    Files.writeString(file, "- {gpu: 0, utilization: 10}");
    script.get();
    Files.writeString(file, "- {gpu: 0, utilization: 110}");

    assertThat(script.get()).isEqualTo(Script.of(GpuScript.busy(0, 10)));
    assertThat(script.get()).isEqualTo(Script.of(GpuScript.busy(0, 10)));
    assertThat(warnings())
        .containsExactly(
            file
                + ": script.yaml:1:25: [0].utilization must be a whole number from 0 to 100, was \"110\";"
                + " the last valid script stays in use");
  }

  @Test
  void everythingIsIdle_withOneWarning_untilTheFileIsThere() throws IOException {
    assertThat(script.get()).isEqualTo(Script.IDLE);
    assertThat(script.get()).isEqualTo(Script.IDLE);
    assertThat(warnings()).hasSize(1).first().asString().startsWith(file + ": no such file");

    Files.writeString(file, "- {gpu: 2, fault: hang}");
    assertThat(script.get()).isEqualTo(Script.of(GpuScript.broken(2, Fault.HANG)));
  }

  private List<String> warnings() {
    return logged.list.stream()
        .filter(event -> event.getLevel() == Level.WARN)
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }
}
