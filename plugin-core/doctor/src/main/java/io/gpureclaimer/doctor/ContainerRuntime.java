package io.gpureclaimer.doctor;

import java.util.List;
import java.util.Optional;

/** Whether the container runtime can give a GPU to a container: by CDI, or by NVIDIA's runtime. */
final class ContainerRuntime implements Check {
  private static final List<String> CONTAINERD =
      List.of(
          "/etc/containerd/config.toml",
          "/var/lib/rancher/k3s/agent/etc/containerd/config.toml",
          "/var/lib/rancher/rke2/agent/etc/containerd/config.toml",
          "/etc/k0s/containerd.toml",
          "/var/snap/microk8s/current/args/containerd.toml");
  private static final List<String> CONTAINERD_SOCKETS =
      List.of("/run/containerd/containerd.sock", "/run/k3s/containerd/containerd.sock");
  private static final List<String> CRIO =
      List.of("/etc/crio/crio.conf", "/etc/crio/crio.conf.d", "/run/crio/crio.sock");

  static final String TURN_CDI_ON =
      "set enable_cdi = true in the CRI plugin's section of containerd's configuration and restart"
          + " containerd (nvidia-ctk runtime configure --runtime=containerd --cdi.enabled does it)";

  @Override
  public String name() {
    return "container runtime";
  }

  @Override
  public Outcome run(ExaminedNode node) {
    NodeFiles files = node.files();
    Optional<String> containerd = containerdIn(files).stream().findFirst();
    if (containerd.isPresent()) {
      return containerd(containerd.get(), RuntimeSettings.read(files, containerd.get()));
    }
    if (isCrioIn(files)) {
      return new Outcome.Ok("CRI-O, which takes CDI specifications by itself since 1.24");
    }
    return CONTAINERD_SOCKETS.stream().anyMatch(files::exists)
        ? new Outcome.Undecided(
            "containerd runs without a configuration file: CDI is on since 2.0, and off before")
        : files.missed(new Outcome.NotApplicable("neither containerd nor CRI-O was found"));
  }

  /** The configurations of containerd that there are; a leftover one may be among them. */
  static List<String> containerdIn(NodeFiles files) {
    return CONTAINERD.stream().filter(files::exists).toList();
  }

  static boolean isCrioIn(NodeFiles files) {
    return CRIO.stream().anyMatch(files::exists);
  }

  private static Outcome containerd(String file, RuntimeSettings settings) {
    String runtime =
        settings.nvidiaRuntime()
            ? settings.nvidiaIsDefault()
                ? ", and NVIDIA's runtime is the default"
                : ", and there is NVIDIA's runtime"
            : "";
    if (settings.cdi().orElse(settings.isOfContainerd2())) {
      return new Outcome.Ok("containerd (" + file + "): CDI is on" + runtime);
    }
    boolean off = settings.cdi().isPresent();
    if (!off && !settings.nvidiaRuntime()) {
      return new Outcome.Undecided(
          "containerd ("
              + file
              + "): nothing is said of CDI, which is on since containerd 2.0 and off before; to be"
              + " sure, "
              + TURN_CDI_ON);
    }
    if (settings.nvidiaRuntime()) {
      String cdi = off ? "CDI is off" : "nothing is said of CDI";
      return settings.nvidiaIsDefault()
          ? new Outcome.Ok("containerd (" + file + "): " + cdi + runtime)
          : new Outcome.Warning(
              "containerd ("
                  + file
                  + "): "
                  + cdi
                  + ", and NVIDIA's runtime is not the default: only pods of a RuntimeClass get"
                  + " GPUs",
              TURN_CDI_ON + ", or give the pods runtimeClassName: nvidia");
    }
    return new Outcome.Problem(
        "containerd (" + file + ") has neither CDI nor NVIDIA's runtime: no container gets a GPU",
        TURN_CDI_ON);
  }
}
