package io.gpureclaimer.core.health.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.core.device.GpuUuid;
import io.gpureclaimer.core.inventory.Counters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HealthFileTest {
  private static final Instant AT = Instant.parse("2026-01-01T00:00:00.123Z");
  private static final GpuUuid GPU = new GpuUuid("GPU-00000000-1111-2222-3333-000000000000");
  private static final GpuState ILL =
      GpuState.recalled(
          List.of(
              new Ailment(
                  Reason.XID,
                  48,
                  "XID 48: \"two\" bits\n\\ü",
                  AT,
                  Cure.RESET,
                  false,
                  true,
                  7,
                  "MIG-1"),
              new Ailment(
                  Reason.RECOVERY_ACTION, null, "…", AT, Cure.ALL_CLEAR, true, true, null, null)),
          new Counters(12_345_678_901L, null));

  @TempDir private Path folder;
  private Path path;
  private Path boot;
  private HealthFile file;

  @BeforeEach
  void name() throws IOException {
    path = folder.resolve("state/health.json");
    boot = folder.resolve("boot_id");
    Files.writeString(boot, "boot-1\n");
    file = new HealthFile(path, boot);
  }

  @Test
  void knowsAgainWhatItWrote() {
    file.save(() -> Map.of(GPU, ILL, new GpuUuid("GPU-well"), GpuState.UNKNOWN));

    assertThat(file.load()).isEqualTo(Map.of(GPU, ILL));
    assertThat(path.resolveSibling("health.json.new")).doesNotExist();
  }

  @Test
  void writesWhatPeopleCanRead() throws IOException {
    file.save(
        () ->
            Map.of(
                GPU,
                GpuState.recalled(
                    List.of(Ailment.of(Reason.XID, "XID 79", AT, Cure.RESET).ofXid(79)),
                    new Counters(5L, 0L))));

    assertThat(Files.readString(path))
        .isEqualTo(
            """
            {
              "version": 1,
              "bootId": "boot-1",
              "gpus": {
                "GPU-00000000-1111-2222-3333-000000000000": {
                  "millijoules": 5,
                  "doubleBitErrors": 0,
                  "ailments": [
                    {"reason": "xid", "xid": 79, "text": "XID 79", "since": "2026-01-01T00:00:00.123Z", "cure": "reset", "resetSeen": false, "instance": null, "mig": null}
                  ]
                }
              }
            }
            """);
  }

  @Test
  void knowsNothing_whenThereIsNoFile() {
    assertThat(file.load()).isEmpty();
  }

  @Test
  void everyGpuHasBeenReset_whenTheNodeHasBooted() throws IOException {
    file.save(() -> Map.of(GPU, ILL));
    Files.writeString(boot, "boot-2\n");

    assertThat(file.load())
        .isEqualTo(
            Map.of(
                GPU,
                GpuState.recalled(
                    ILL.ailments().stream().map(Ailment::afterReset).toList(), Counters.UNTOLD)));
  }

  @Test
  void aBootThatTellsNoNameIsNoOther() throws IOException {
    Files.delete(boot);
    file.save(() -> Map.of(GPU, ILL));

    assertThat(file.load()).isEqualTo(Map.of(GPU, ILL));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "{",
        "not ours at all: [",
        "{\"version\": 2, \"bootId\": \"b\", \"gpus\": {}}",
        "{\"version\": \"1\", \"bootId\": \"b\", \"gpus\": {}}",
        "{\"version\": 1, \"gpus\": {}}",
        "{\"version\": 1, \"bootId\": \"b\"}",
        "{\"version\": 1, \"bootId\": \"b\", \"gpus\": {\"\": {\"ailments\": []}}}",
        "{\"version\": 1, \"bootId\": \"b\", \"gpus\": {\"G\": {}}}",
        "{\"version\": 1, \"bootId\": \"b\", \"gpus\": {\"G\": {\"ailments\": [1]}}}",
        "{\"version\": 1, \"bootId\": \"b\", \"gpus\": {\"G\": {\"ailments\": [{\"reason\":"
            + " \"flu\", \"text\": \"\", \"since\": \"2026-01-01T00:00:00Z\", \"cure\":"
            + " \"reset\"}]}}}",
        "{\"version\": 1, \"bootId\": \"b\", \"gpus\": {\"G\": {\"ailments\": [{\"reason\":"
            + " \"xid\", \"text\": \"\", \"since\": \"yesterday\", \"cure\": \"reset\"}]}}}"
      })
  void setsAsideWhatIsNotItsOwn_andBeginsAnew(String text) throws IOException {
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);

    assertThat(file.load()).isEmpty();
    assertThat(path).doesNotExist();
    assertThat(Files.readString(path.resolveSibling("health.json.bad"))).isEqualTo(text);
    file.save(() -> Map.of(GPU, ILL));
    assertThat(file.load()).isEqualTo(Map.of(GPU, ILL));
  }

  @Test
  void setsAsideAFileThatIsFarTooLarge() throws IOException {
    Files.createDirectories(path.getParent());
    Files.write(path, new byte[(1 << 20) + 1]);

    assertThat(file.load()).isEmpty();
  }

  @Test
  void goesOn_whenTheFileCannotBeWritten() throws IOException {
    Files.writeString(folder.resolve("state"), "a file where the folder should be");

    file.save(() -> Map.of(GPU, ILL));

    assertThat(file.load()).isEmpty();
    Files.delete(folder.resolve("state"));
    file.save(() -> Map.of(GPU, ILL));
    assertThat(file.load()).isEqualTo(Map.of(GPU, ILL));
  }

  @Test
  void leavesTheOldFileWhole_whenTheNewOneCannotBePutInItsPlace() throws IOException {
    file.save(() -> Map.of(GPU, ILL));
    Files.createDirectory(path.resolveSibling("health.json.new"));

    file.save(Map::of);

    assertThat(file.load()).isEqualTo(Map.of(GPU, ILL));
    try (Stream<Path> files = Files.list(path.getParent())) {
      assertThat(files).hasSize(2);
    }
  }

  @Property
  void everyTextIsReadAsItWasWritten(@ForAll String text) throws BadHealthFile {
    var gpu =
        GpuState.recalled(
            List.of(Ailment.of(Reason.UNREADABLE, text, AT, Cure.ANSWERS).afterSurvey()),
            Counters.UNTOLD);
    var saved = new HealthJson.Saved(text, Map.of(GPU, gpu));

    assertThat(HealthJson.read(HealthJson.write(saved))).isEqualTo(saved);
  }
}
