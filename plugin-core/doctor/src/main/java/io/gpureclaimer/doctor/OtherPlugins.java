package io.gpureclaimer.doctor;

import java.util.ArrayList;
import java.util.List;

/** Sockets of NVIDIA's own device plugin, which offers the same resources. */
final class OtherPlugins implements Check {
  private static final String FOLDER = "/var/lib/kubelet/device-plugins";

  @Override
  public String name() {
    return "other device plugins";
  }

  @Override
  public Outcome run(ExaminedNode node) {
    NodeFiles files = node.files();
    if (!files.isFolder(FOLDER)) {
      return new Outcome.NotApplicable("there is no " + FOLDER + " here");
    }
    List<String> running = new ArrayList<>();
    List<String> left = new ArrayList<>();
    for (String name : files.names(FOLDER)) {
      if (name.startsWith("nvidia-") && name.endsWith(".sock")) {
        switch (files.knock(FOLDER + '/' + name)) {
          case ANSWERS, FORBIDDEN -> running.add(name);
          case NO_LISTENER -> left.add(name);
          case ABSENT, NO_SOCKET -> {}
        }
      }
    }
    return judged(running, left);
  }

  private static Outcome judged(List<String> running, List<String> left) {
    if (!running.isEmpty()) {
      return new Outcome.Warning(
          "NVIDIA's device plugin serves " + String.join(", ", running),
          "let one plugin offer a resource: the kubelet takes the last that registers. Either take"
              + " NVIDIA's DaemonSet off this node, or leave our device plugin off");
    }
    return left.isEmpty()
        ? new Outcome.Ok("none of NVIDIA's")
        : new Outcome.Warning(
            "left over by NVIDIA's device plugin, and served by no program: "
                + String.join(", ", left),
            "nothing at once: the kubelet removes them when it restarts");
  }
}
