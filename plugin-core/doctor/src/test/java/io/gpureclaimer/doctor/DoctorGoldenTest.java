package io.gpureclaimer.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.nvml.NvmlReturn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rewrite the files with {@code ./mvnw test -Dgolden.update=true}, then read the diff. */
class DoctorGoldenTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden/doctor");

  @TempDir Path root;

  @Test
  void allIsWell() throws IOException {
    try (var node = FakeNode.healthy(root)) {
      Diagnosis diagnosis = node.examine();

      hold("healthy.txt", DiagnosisText.of(diagnosis));
      hold("healthy.json", DiagnosisJson.of(diagnosis));
      assertThat(diagnosis.exitCode()).isZero();
    }
  }

  @Test
  void thereIsNoGpu() throws IOException {
    try (var node = new FakeNode(root)) {
      Diagnosis diagnosis = node.examine();

      hold("no-gpu.txt", DiagnosisText.of(diagnosis));
      assertThat(diagnosis.exitCode()).isZero();
    }
  }

  @Test
  void theDriverWasUpgradedUnderItsFeet() throws IOException {
    try (var node = FakeNode.healthy(root)) {
      node.answers(
          new DriverAnswer.Silent(
              NvmlReturn.LIB_RM_VERSION_MISMATCH,
              "nvmlInit_v2: library and kernel driver are of different versions (code 18)"));
      node.listen("/var/lib/kubelet/device-plugins/nvidia-gpu.sock");
      node.without("/var/lib/kubelet/pod-resources/kubelet.sock");
      node.file("/usr/bin/nvidia-smi", "");
      node.file(
          "/var/run/cdi/nvidia.yaml",
          """
          cdiVersion: 0.5.0
          kind: nvidia.com/gpu
          devices:
          - name: "0"
            containerEdits: {deviceNodes: [{path: /dev/nvidia0}]}
          containerEdits:
            mounts:
            - {hostPath: /usr/bin/nvidia-smi, containerPath: /usr/bin/nvidia-smi}
            - {hostPath: /usr/lib/libcuda.so.535.54.03, containerPath: /usr/lib/libcuda.so.1}
          """);
      Diagnosis diagnosis = node.examine();

      hold("upgraded.txt", DiagnosisText.of(diagnosis));
      hold("upgraded.json", DiagnosisJson.of(diagnosis));
      assertThat(diagnosis.exitCode()).isEqualTo(1);
    }
  }

  private static void hold(String name, String text) throws IOException {
    Path golden = GOLDEN.resolve(name);
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(golden, text);
    }
    assertThat(text).isEqualTo(Files.readString(golden));
  }
}
