package io.gpureclaimer.verification.scenario.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/**
 * What only a cluster of {@code verification/cluster/up} offers: its audit log, and its programs,
 * which can be made to stand still. Tests that need it are skipped elsewhere.
 */
public final class OwnCluster {
  private static final Path COMMANDS = Path.of("cluster").toAbsolutePath();
  private static final Path PLUGINS = Path.of("../deploy").toAbsolutePath().normalize();

  private final Path state;

  private OwnCluster(Path state) {
    this.state = state;
  }

  /** The cluster that KUBECONFIG names; a test that asks for it is skipped if it is another one. */
  public static OwnCluster orSkip() {
    Optional<OwnCluster> own =
        Kubeconfig.file()
            .map(file -> file.toAbsolutePath().getParent())
            .filter(folder -> Files.exists(folder.resolve("log/audit.log")))
            .map(OwnCluster::new);
    Assumptions.assumeTrue(
        own.isPresent(), "KUBECONFIG names no cluster of verification/cluster/up");
    return own.orElseThrow();
  }

  /** What service accounts do from now on. */
  public AuditLog auditLog() {
    return AuditLog.fromNowOn(state.resolve("log/audit.log"));
  }

  /** What the kubectl plugin prints, with the reclaimer of a namespace. */
  public String kubectlGpu(String reclaimerNamespace, String... arguments) {
    ProcessBuilder command = command("kubectl", arguments);
    command.command().add(1, "gpu");
    command.environment().put("GPU_RECLAIMER_NAMESPACE", reclaimerNamespace);
    command
        .environment()
        .merge("PATH", COMMANDS + ":" + PLUGINS + ":", (path, ours) -> ours + path);
    return CommandRunner.run(command);
  }

  /** What kubectl prints. */
  public String kubectl(String... arguments) {
    return run("kubectl", arguments);
  }

  /**
   * Lets one of the cluster's programs, such as kube-controller-manager, stand still.
   *
   * @return lets it go on
   */
  public Frozen freeze(String program) {
    signal("STOP", program);
    return () -> signal("CONT", program);
  }

  /** Writes a file that programs on the machine of the cluster can read, and returns its path. */
  public String write(String name, String text) {
    try {
      Files.writeString(state.resolve("config").resolve(name), text);
      return "/mnt/state/config/" + name;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Lets KWOK play nodes. A test that asks for it is skipped if KWOK cannot be built here, or if
   * the cluster was not started with {@code --control-plane}.
   */
  public NodeProcess playNodes() {
    try {
      Assumptions.assumeTrue(
          Files.readString(state.resolve("what")).strip().equals("control-plane"),
          "needs a cluster of up --control-plane");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    run("build", "kwok");
    return NodeProcess.start("kwok", command("fake-nodes"));
  }

  /** Starts a program on the machine of the cluster. */
  public NodeProcess start(String name, String... line) {
    return NodeProcess.start(name, command("enter", line));
  }

  /** Ends the kubelet; it is started again at once. */
  public void restartKubelet() {
    signal("TERM", "kubelet");
  }

  /** Deletes a folder of the node, with all that is in it. */
  public void deleteOnNode(String folder) {
    run("enter", "rm", "-r", folder);
  }

  /** Lets a program go on that stands still. */
  public interface Frozen extends AutoCloseable {
    @Override
    void close();
  }

  private void signal(String signal, String program) {
    run("enter", "sh", "-c", "kill -" + signal + " $(pidof " + program + ")");
  }

  private String run(String command, String... arguments) {
    return CommandRunner.run(command(command, arguments));
  }

  private ProcessBuilder command(String command, String... arguments) {
    var line = new ArrayList<String>();
    line.add(COMMANDS.resolve(command).toString());
    line.addAll(List.of(arguments));
    return pointed(new ProcessBuilder(line));
  }

  /** The same command, whose environment names this cluster. */
  ProcessBuilder pointed(ProcessBuilder command) {
    command.environment().put("GPU_RECLAIMER_CLUSTER", state.getFileName().toString());
    command.environment().put("KUBECONFIG", state.resolve("admin.kubeconfig").toString());
    return command;
  }
}
