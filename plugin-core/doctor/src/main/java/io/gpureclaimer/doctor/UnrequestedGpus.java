package io.gpureclaimer.doctor;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Checks whether a container without a GPU request sees GPUs. Files do not show which of several
 * runtimes runs, so one of them is enough.
 */
public final class UnrequestedGpus implements Check {
  private static final List<String> NVIDIA =
      List.of(
          "/etc/nvidia-container-runtime/config.toml",
          "/usr/local/nvidia/toolkit/.config/nvidia-container-runtime/config.toml");
  private static final Pattern ACCEPTS_IMAGE_ENV =
      Pattern.compile(
          "(?m)^\\s*accept-nvidia-visible-devices-envvar-when-unprivileged\\s*=\\s*(true|false)");
  private static final String CRIO = "/etc/crio/crio.conf";
  private static final Pattern CRIO_DEFAULT =
      Pattern.compile("(?m)^\\s*default_runtime\\s*=\\s*\"([^\"]*)\"");

  @Override
  public String name() {
    return "unasked GPUs";
  }

  @Override
  public Outcome run(ExaminedNode node) {
    return in(node.files());
  }

  /** The same without a look at anything else. */
  public static Outcome in(NodeFiles files) {
    List<String> containerd = ContainerRuntime.containerdIn(files);
    if (containerd.isEmpty() && !files.exists(CRIO) && crioFragments(files).isEmpty()) {
      return files.missed(
          new Outcome.NotApplicable("no configuration of containerd or CRI-O was found"));
    }
    boolean isDefault =
        isDefaultOfCrio(files)
            || containerd.stream()
                .anyMatch(file -> RuntimeSettings.read(files, file).nvidiaIsDefault());
    if (!isDefault) {
      return new Outcome.Ok(
          "containers without a GPU request see no GPU: NVIDIA's runtime is not the default");
    }
    List<String> accepted =
        NVIDIA.stream()
            .flatMap(file -> files.text(file).stream())
            .map(text -> RuntimeSettings.last(ACCEPTS_IMAGE_ENV, text).orElse("true"))
            .toList();
    return !accepted.isEmpty() && accepted.stream().allMatch("false"::equals)
        ? new Outcome.Ok(
            "a container that requests none sees none: NVIDIA's runtime is the default, and honors"
                + " no variable of unprivileged containers")
        : new Outcome.Warning(
            "NVIDIA's runtime is the default and uses NVIDIA_VISIBLE_DEVICES, which images of"
                + " CUDA set to all: a container that requests no GPU sees every one",
            "hand GPUs out by volume-mounts or CDI (--device-list-strategy), and then set"
                + " accept-nvidia-visible-devices-envvar-when-unprivileged = false (for"
                + " volume-mounts also accept-nvidia-visible-devices-as-volume-mounts = true) in "
                + NVIDIA.getFirst());
  }

  private static boolean isDefaultOfCrio(NodeFiles files) {
    return Stream.concat(Stream.of(CRIO), crioFragments(files).stream())
        .flatMap(file -> files.text(file).stream())
        .flatMap(text -> RuntimeSettings.last(CRIO_DEFAULT, text).stream())
        .reduce((_, later) -> later)
        .filter(name -> name.startsWith("nvidia"))
        .isPresent();
  }

  private static List<String> crioFragments(NodeFiles files) {
    String folder = CRIO + ".d";
    return files.names(folder).stream().map(name -> folder + '/' + name).toList();
  }
}
