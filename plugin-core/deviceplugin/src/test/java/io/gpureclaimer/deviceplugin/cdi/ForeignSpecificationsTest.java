package io.gpureclaimer.deviceplugin.cdi;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.deviceplugin.cdi.spec.CdiJson;
import io.gpureclaimer.deviceplugin.cdi.spec.CdiKind;
import io.gpureclaimer.deviceplugin.cdi.spec.CdiSpec;
import io.gpureclaimer.deviceplugin.cdi.spec.CdiSpec.CdiDevice;
import io.gpureclaimer.deviceplugin.cdi.spec.ContainerEdits;
import io.gpureclaimer.deviceplugin.cdi.spec.ContainerEdits.DeviceNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForeignSpecificationsTest {
  private static final CdiSpec SPEC =
      new CdiSpec(
          new CdiKind("nvidia.com", "gpu"), List.of(device("0"), device("1")), ContainerEdits.NONE);

  @TempDir Path folder;
  private Path fixed;
  private Path ours;
  private ForeignSpecifications others;

  @BeforeEach
  void make() throws IOException {
    fixed = Files.createDirectory(folder.resolve("etc"));
    ours = Files.createDirectory(folder.resolve("run"));
    Files.writeString(file(), CdiJson.of(SPEC));
    others = new ForeignSpecifications(ours, List.of(fixed, ours));
  }

  @Test
  void reportsNothing_whenWeAreAlone() {
    assertThat(others.conflicts(SPEC, file())).isEmpty();
  }

  @Test
  void reportsThatNeitherWorks_whenAFileBesideOursOffersTheSame() throws IOException {
    Path toolkit = ours.resolve("nvidia.yaml");
    Files.writeString(
        toolkit,
        """
        ---
        cdiVersion: 0.5.0
        kind: nvidia.com/gpu
        devices:
        - name: "0"
          containerEdits: {}
        - name: all
          containerEdits: {}
        """);

    assertThat(others.conflicts(SPEC, file()))
        .containsExactly(
            toolkit
                + " offers nvidia.com/gpu=0, as we do: runtimes give out neither, and containers"
                + " with such a device do not start; remove that file, or choose another CDI"
                + " vendor");

    Files.delete(toolkit);
    assertThat(others.conflicts(SPEC, file())).isEmpty();
  }

  @Test
  void reportsWhoWins_whenTheOtherIsInAnotherFolder() throws IOException {
    Files.copy(file(), fixed.resolve("copy.json"));

    assertThat(others.conflicts(SPEC, file()))
        .containsExactly(
            fixed.resolve("copy.json")
                + " offers nvidia.com/gpu=0, nvidia.com/gpu=1, as we do: runtimes use ours and not"
                + " that file");
    assertThat(new ForeignSpecifications(ours, List.of(ours, fixed)).conflicts(SPEC, file()))
        .containsExactly(
            fixed.resolve("copy.json")
                + " offers nvidia.com/gpu=0, nvidia.com/gpu=1, as we do: runtimes use that file and"
                + " not ours");
  }

  @Test
  void reportsNothing_whenTheOtherOffersSomethingElseOrCannotBeRead() throws IOException {
    Files.writeString(
        ours.resolve("fpga.json"),
        CdiJson.of(
            new CdiSpec(new CdiKind("nvidia.com", "fpga"), SPEC.devices(), ContainerEdits.NONE)));
    Files.writeString(
        ours.resolve("all.json"),
        CdiJson.of(new CdiSpec(SPEC.kind(), List.of(device("all")), ContainerEdits.NONE)));
    Files.writeString(ours.resolve("broken.json"), "{\"kind\": \"nvidia.com/gpu\", \"devices\": [");
    Files.writeString(ours.resolve("list.yaml"), "- 1\n- 2\n");
    Files.writeString(ours.resolve("odd.yaml"), "kind: nvidia.com/gpu\ndevices: [1, {name: }, []]");
    Files.write(ours.resolve("binary.json"), new byte[] {(byte) 0xff, 0});
    Files.writeString(ours.resolve("copy.txt"), Files.readString(file()));
    Files.createDirectory(ours.resolve("folder.json"));

    assertThat(others.conflicts(SPEC, file())).isEmpty();
  }

  private Path file() {
    return ours.resolve(SPEC.kind().fileName());
  }

  private static CdiDevice device(String name) {
    return new CdiDevice(
        name,
        new ContainerEdits(
            List.of(), List.of(new DeviceNode("/dev/n", null, null)), List.of(), List.of()));
  }
}
