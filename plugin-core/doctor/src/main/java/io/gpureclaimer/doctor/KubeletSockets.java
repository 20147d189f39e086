package io.gpureclaimer.doctor;

import java.util.ArrayList;
import java.util.List;

/** The two sockets on which the kubelet listens for device plugins and for us. */
final class KubeletSockets implements Check {
  private static final String KUBELET = "/var/lib/kubelet";
  private static final List<String> SOCKETS =
      List.of(KUBELET + "/device-plugins/kubelet.sock", KUBELET + "/pod-resources/kubelet.sock");

  @Override
  public String name() {
    return "kubelet";
  }

  @Override
  public Outcome run(ExaminedNode node) {
    NodeFiles files = node.files();
    if (!files.exists(KUBELET)) {
      return new Outcome.NotApplicable("there is no " + KUBELET + " here");
    }
    List<String> troubles = new ArrayList<>();
    boolean forbidden = false;
    for (String socket : SOCKETS) {
      NodeFiles.SocketProbe knock = files.knock(socket);
      forbidden |= knock == NodeFiles.SocketProbe.FORBIDDEN;
      switch (knock) {
        case ANSWERS, FORBIDDEN -> {}
        case ABSENT -> troubles.add(socket + " is not there");
        case NO_SOCKET -> troubles.add(socket + " is no socket");
        case NO_LISTENER -> troubles.add("no process listens on " + socket);
      }
    }
    if (!troubles.isEmpty()) {
      return new Outcome.Problem(
          String.join("; ", troubles),
          "see that the kubelet runs (systemctl status kubelet); in a pod, mount the folders"
              + " /var/lib/kubelet/device-plugins and /var/lib/kubelet/pod-resources, not the"
              + " sockets, and not read-only");
    }
    return forbidden
        ? new Outcome.Undecided("its sockets are there, and only root may connect")
        : new Outcome.Ok("listens for device plugins and for questions about pods");
  }
}
