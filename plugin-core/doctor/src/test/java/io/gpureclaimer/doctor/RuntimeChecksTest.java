package io.gpureclaimer.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.doctor.Outcome.NotApplicable;
import io.gpureclaimer.doctor.Outcome.Ok;
import io.gpureclaimer.doctor.Outcome.OutcomeKind;
import io.gpureclaimer.doctor.Outcome.Undecided;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuntimeChecksTest {
  private static final String CONFIG = "/etc/containerd/config.toml";
  private static final String SPECIFICATION =
      """
      {"cdiVersion": "0.5.0", "kind": "nvidia.com/gpu", "devices":
       [{"name": "GPU-1", "containerEdits": {"deviceNodes": [{"path": "/dev/nvidia0"}]}}]}
      """;

  @TempDir Path root;

  @Test
  void reportsThatCdiIsOn() {
    assertThat(runtime("version = 2\n[plugins.x]\n  enable_cdi = true\n"))
        .isEqualTo(new Ok("containerd (" + CONFIG + "): CDI is on"));
  }

  @Test
  void knowsThatContainerd2HasItOnByItself() {
    assertThat(runtime("version = 3\n"))
        .isEqualTo(new Ok("containerd (" + CONFIG + "): CDI is on"));
  }

  @Test
  void cannotDecide_whereTheVersionDecides() {
    assertThat(runtime("version = 2\n").kind()).isEqualTo(OutcomeKind.UNDECIDED);
  }

  @Test
  void findsNvidiasRuntime() {
    assertThat(
            runtime(
                """
                version = 2
                [plugins."io.containerd.grpc.v1.cri".containerd]
                  default_runtime_name = "nvidia"
                  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.nvidia.options]
                    BinaryName = "/usr/bin/nvidia-container-runtime"
                """))
        .isEqualTo(
            new Ok(
                "containerd ("
                    + CONFIG
                    + "): nothing is said of CDI, and NVIDIA's runtime is the default"));
  }

  @Test
  void warnsOfARuntimeThatOnlySomePodsGet() {
    assertThat(runtime("enable_cdi = false\n[plugins.'x'.containerd.runtimes.'nvidia']\n").kind())
        .isEqualTo(OutcomeKind.WARNING);
  }

  @Test
  void reportsThatNoContainerGetsAGpu() {
    assertThat(runtime("# enable_cdi = true\nenable_cdi = false\n"))
        .isInstanceOf(Outcome.Problem.class);
  }

  private static final String NVIDIA_IS_DEFAULT =
      "version = 2\n[plugins.x.containerd]\n  default_runtime_name = \"nvidia\"\n";

  @Test
  void warnsOfGpusThatWereNotRequested_whereNvidiasRuntimeIsTheDefault() {
    try (var node = new FakeNode(root).file(CONFIG, NVIDIA_IS_DEFAULT)) {
      assertThat(new UnrequestedGpus().run(node.run()).kind()).isEqualTo(OutcomeKind.WARNING);

      node.file(
          "/etc/nvidia-container-runtime/config.toml",
          "#accept-nvidia-visible-devices-envvar-when-unprivileged = false\n");
      assertThat(new UnrequestedGpus().run(node.run()).kind()).isEqualTo(OutcomeKind.WARNING);

      node.file(
          "/etc/nvidia-container-runtime/config.toml",
          "accept-nvidia-visible-devices-envvar-when-unprivileged = false\n");
      assertThat(new UnrequestedGpus().run(node.run()).kind()).isEqualTo(OutcomeKind.OK);
    }
  }

  @Test
  void isNotReassuredByAConfigurationThatIsLeftOver() {
    try (var node =
        new FakeNode(root)
            .file(CONFIG, "version = 2\n")
            .file("/var/lib/rancher/k3s/agent/etc/containerd/config.toml", NVIDIA_IS_DEFAULT)
            .file(
                "/etc/nvidia-container-runtime/config.toml",
                "accept-nvidia-visible-devices-envvar-when-unprivileged = false\n")
            .file("/usr/local/nvidia/toolkit/.config/nvidia-container-runtime/config.toml", "\n")) {
      assertThat(new UnrequestedGpus().run(node.run()).kind()).isEqualTo(OutcomeKind.WARNING);
    }
  }

  @Test
  void findsTheDefaultRuntimeOfCrio_ofWhichTheLastFileDecides() {
    try (var node =
        new FakeNode(root)
            .file("/etc/crio/crio.conf", "[crio.runtime]\ndefault_runtime = \"crun\"\n")) {
      assertThat(new UnrequestedGpus().run(node.run()).kind()).isEqualTo(OutcomeKind.OK);

      node.file("/etc/crio/crio.conf.d/99-nvidia.conf", "default_runtime = \"nvidia\"\n");
      assertThat(new UnrequestedGpus().run(node.run()).kind()).isEqualTo(OutcomeKind.WARNING);
    }
  }

  @Test
  void exposesNothing_whereNvidiasRuntimeIsNotTheDefault() {
    try (var node = new FakeNode(root).file(CONFIG, "version = 3\n")) {
      assertThat(new UnrequestedGpus().run(node.run()).kind()).isEqualTo(OutcomeKind.OK);
    }
  }

  @Test
  void isUndecidedAboutUnrequestedGpus_inAContainerThatDoesNotSeeTheRuntime() {
    try (var node = new FakeNode(root)) {
      assertThat(new UnrequestedGpus().run(node.lookFromContainer()).kind())
          .isEqualTo(OutcomeKind.UNDECIDED);
      assertThat(new UnrequestedGpus().run(node.run()).kind())
          .isEqualTo(OutcomeKind.NOT_APPLICABLE);
    }
  }

  @Test
  void readsWhatIsImported() {
    try (var node =
        new FakeNode(root)
            .file(CONFIG, "version = 2\nimports = [\n  \"conf.d/*.toml\",\n]\n")
            .file("/etc/containerd/conf.d/99-nvidia.toml", "enable_cdi = true\n")) {
      assertThat(new ContainerRuntime().run(node.run()).kind()).isEqualTo(OutcomeKind.OK);
    }
  }

  @Test
  void findsSpecificationsThatTakeEachOtherOut() {
    try (var node =
        new FakeNode(root)
            .file("/etc/cdi/a.json", SPECIFICATION)
            .file("/etc/cdi/b.yaml", SPECIFICATION)) {
      assertThat(new CdiSpecifications().run(node.run()).text())
          .isEqualTo(
              "named by two files of one folder, so that neither counts: nvidia.com/gpu=GPU-1 in"
                  + " /etc/cdi/a.json and /etc/cdi/b.yaml");
    }
  }

  @Test
  void letsTheHigherFolderWin() {
    try (var node =
        new FakeNode(root)
            .link("/var/run", "/run")
            .file("/etc/cdi/a.json", SPECIFICATION)
            .file("/run/cdi/a.json", SPECIFICATION)) {
      assertThat(new CdiSpecifications().run(node.run()))
          .isEqualTo(new Ok("/etc/cdi/a.json (1 device), /var/run/cdi/a.json (1 device)"));
    }
  }

  @Test
  void namesASpecificationThatIsNone() {
    try (var node = new FakeNode(root).file("/etc/cdi/a.json", "{")) {
      assertThat(new CdiSpecifications().run(node.run()).text())
          .isEqualTo("no specification, or not readable: /etc/cdi/a.json");
    }
  }

  @Test
  void cannotDecide_whenTheNodesFilesAreNotToBeSeen() {
    try (var node =
        new FakeNode(root)
            .file(
                "/etc/cdi/a.json",
                SPECIFICATION.replace(
                    "\"devices\"",
                    "\"containerEdits\": {\"mounts\": [{\"hostPath\": \"/x\"}]}, \"devices\""))) {
      assertThat(new CdiSpecifications().run(node.run()).kind()).isEqualTo(OutcomeKind.UNDECIDED);
    }
  }

  @Test
  void isUndecidedAboutFilesThatAContainerLacks_andReportsWhatItLacks() {
    try (var node =
        FakeNode.healthy(root)
            .without(CONFIG)
            .without("/dev/nvidia-uvm")
            .file("/seen", "")
            .file(
                "/etc/cdi/a.json",
                SPECIFICATION.replace(
                    "\"devices\"",
                    "\"containerEdits\": {\"mounts\": [{\"hostPath\": \"/seen\"},"
                        + " {\"hostPath\": \"/unseen\"}]}, \"devices\""))) {
      for (Check check :
          List.of(new ContainerRuntime(), new DeviceFileCheck(), new CdiSpecifications())) {
        Outcome onNode = check.run(node.run());
        assertThat(check.run(node.lookFromContainer()))
            .isEqualTo(
                new Undecided(
                    "not all files of the node are visible; mount its / (in the "
                        + "chart: driverRoot: /), or run gpu-exporter doctor on the node: "
                        + ""
                        + onNode.text()));
      }
    }
  }

  @Test
  void reportsFilesThatAContainerHas() {
    try (var node = FakeNode.healthy(root)) {
      for (Check check : List.of(new ContainerRuntime(), new DeviceFileCheck())) {
        assertThat(check.run(node.lookFromContainer())).isEqualTo(check.run(node.run()));
      }
    }
  }

  @Test
  void reportsWhatTheKubeletsSocketsLack() {
    try (var node =
        new FakeNode(root)
            .abandon("/var/lib/kubelet/device-plugins/kubelet.sock")
            .file("/var/lib/kubelet/pod-resources/kubelet.sock", "")) {
      assertThat(new KubeletSockets().run(node.run()).text())
          .isEqualTo(
              "no process listens on /var/lib/kubelet/device-plugins/kubelet.sock;"
                  + " /var/lib/kubelet/pod-resources/kubelet.sock is no socket");
    }
  }

  @Test
  void findsNvidiasPlugin_runningAndLeftOver() {
    try (var node =
        new FakeNode(root)
            .abandon("/var/lib/kubelet/device-plugins/nvidia-mig-1g.10gb.sock")
            .listen("/var/lib/kubelet/device-plugins/gpu-reclaimer-gpu-01.sock")) {
      assertThat(new OtherPlugins().run(node.run()).text())
          .isEqualTo(
              "left over by NVIDIA's device plugin, and served by no program:"
                  + " nvidia-mig-1g.10gb.sock");

      node.listen("/var/lib/kubelet/device-plugins/nvidia-gpu.sock");
      assertThat(new OtherPlugins().run(node.run()).text())
          .isEqualTo("NVIDIA's device plugin serves nvidia-gpu.sock");
    }
  }

  @Test
  void doesNotApply_whereThereIsNoKubelet() {
    try (var node = new FakeNode(root)) {
      assertThat(new KubeletSockets().run(node.run()))
          .isEqualTo(new NotApplicable("there is no /var/lib/kubelet here"));
    }
  }

  private Outcome runtime(String config) {
    try (var node = new FakeNode(root).file(CONFIG, config)) {
      return new ContainerRuntime().run(node.run());
    }
  }
}
