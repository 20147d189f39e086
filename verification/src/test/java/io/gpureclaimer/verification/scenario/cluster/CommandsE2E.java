package io.gpureclaimer.verification.scenario.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * The commands of verification/cluster, on a cluster with an unused number: they leave nothing
 * behind, and refuse in one line what they cannot do.
 */
@Tag("cluster")
class CommandsE2E {
  private static final Path COMMANDS = Path.of("cluster").toAbsolutePath();
  private static final String NUMBER = "250";

  /** What is promised of a warm start. */
  private static final int READY_WITHIN_SECONDS = 30;

  /** Not below /tmp, which may be small. */
  @TempDir(factory = BelowTarget.class)
  Path folder;

  @BeforeAll
  static void needRootAndTools() {
    assumeTrue(
        "0".equals(run(Map.of(), "id", "-u").output().strip()),
        "only root can start a cluster of its own");
    String tools = "command -v pkill && command -v ps && command -v sysctl && command -v go";
    assumeTrue(
        run(Map.of(), "bash", "-c", tools).exitCode() == 0, "looks with procps (and Go's tools)");
  }

  @AfterEach
  void tidyUp() {
    assertThat(command("down").exitCode()).isZero();
  }

  @Test
  void leavesNothingBehind() throws IOException {
    String before = traces();

    CommandResult up = command("up");
    assertThat(up.exitCode()).as(up.output()).isZero();
    assertThat(Integer.parseInt(up.output().replaceAll("(?s).* is up, after (\\d+) s:.*", "$1")))
        .as("seconds until the node is ready")
        .isLessThan(READY_WITHIN_SECONDS);
    String image = "--image=gpu-reclaimer.io/busybox:test";
    command("kubectl", "run", "pod", image, "--image-pull-policy=Never");
    assertThat(command("kubectl", "wait", "--for=condition=Ready", "pod/pod").exitCode()).isZero();
    String during = traces();
    assertThat(command("down").output()).isEmpty();

    assertThat(during).contains("gpu-rec-" + NUMBER, "kubepods", "kube-apiserver", "kubelet");
    assertThat(traces()).isEqualTo(before);
  }

  @Test
  void doesNothingMore_whenItIsUpAlready() {
    CommandResult first = command("up", "--control-plane");
    CommandResult second = command("up", "--control-plane");

    assertThat(first.exitCode()).as(first.output()).isZero();
    assertThat(second.exitCode()).isZero();
    assertThat(second.output()).startsWith("the cluster is up already:\nexport KUBECONFIG=");
    assertThat(command("up").output())
        .startsWith("up: a cluster is up, but started as control-plane; end it first: ");
  }

  @Test
  void letsGoOn_whatAnInterruptedTestLeftFrozen() {
    assertThat(command("up", "--control-plane").exitCode()).isZero();
    command("enter", "pkill", "-STOP", "kube-controller");

    assertThat(command("up", "--control-plane").output()).startsWith("the cluster is up already:");
    assertThat(command("enter", "bash", "-c", "grep -h State /proc/$(pgrep kube-contr)/status"))
        .extracting(CommandResult::output)
        .asString()
        .doesNotContain("stopped");
  }

  @Test
  void endsAsAWhole_whenAPartEnds_andStartsAgain() {
    assertThat(command("up", "--control-plane").exitCode()).isZero();

    command("enter", "pkill", "-KILL", "kube-scheduler");

    await().untilAsserted(() -> assertThat(command("enter", "true").exitCode()).isEqualTo(1));
    assertThat(command("enter", "true").output()).startsWith("enter: no cluster is up; ");
    assertThat(traces()).doesNotContain("kube-apiserver");
    CommandResult again = command("up", "--control-plane");
    assertThat(again.exitCode()).isZero();
    assertThat(again.output())
        .startsWith("the last cluster ended by itself: kube-scheduler ended; last in its log: ");
  }

  @Test
  void namesTheNetworkThatIsTaken_andStartsNothing() {
    String network = "172.30." + NUMBER + ".0/24";
    assertThat(run(Map.of(), "ip", "route", "add", network, "dev", "lo").exitCode()).isZero();
    try {
      CommandResult result = command("up");

      assertThat(result.exitCode()).isEqualTo(2);
      assertThat(result.output())
          .matches(
              "up: the network \\Q%s\\E is taken \\(.*dev lo.*\\); choose another with GPU_RECLAIMER_CLUSTER=1 to 255\n"
                  .formatted(network));
    } finally {
      run(Map.of(), "ip", "route", "delete", network, "dev", "lo");
    }
  }

  @Test
  void namesTheDiskThatIsFull_andLeavesItEmpty() {
    assertThat(
            run(
                    Map.of(),
                    "mount",
                    "--no-mtab",
                    "-t",
                    "tmpfs",
                    "-o",
                    "size=50m",
                    "tmpfs",
                    folder.toString())
                .exitCode())
        .isZero();
    try {
      CommandResult result = run(cache(folder), COMMANDS.resolve("up").toString());

      assertThat(result.exitCode()).isEqualTo(2);
      assertThat(result.output())
          .matches("up: needs 6144 MiB of disk under .*, [0-9]+ MiB are free\n");
      assertThat(folder).isEmptyDirectory();
    } finally {
      run(Map.of(), "umount", "--no-mtab", folder.toString());
    }
  }

  @Test
  void namesTheModuleProxyThatIsNotThere() {
    var environment = new HashMap<>(cache(folder));
    environment.put("GOPROXY", "http://127.0.0.1:9");
    environment.put("GOMODCACHE", folder.resolve("modules").toString());

    CommandResult result = run(environment, COMMANDS.resolve("up").toString());

    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.output().lines().toList().getLast())
        .startsWith("build: kubernetes v")
        .contains("could not be built, see ")
        .endsWith("connection refused");
  }

  @Test
  void needsRoot() {
    CommandResult result =
        run(
            Map.of("HOME", folder.toString()),
            "unshare",
            "--user",
            COMMANDS.resolve("up").toString());

    assertThat(result)
        .isEqualTo(
            new CommandResult(2, "up: needs root: name spaces, mounts and cgroups are made\n"));
  }

  @Test
  void refusesWhatItDoesNotKnow() {
    assertThat(command("up", "--nodes=3"))
        .isEqualTo(new CommandResult(2, "up: knows --control-plane and --try, not --nodes=3\n"));
    assertThat(run(Map.of("GPU_RECLAIMER_CLUSTER", "256"), COMMANDS.resolve("up").toString()))
        .isEqualTo(
            new CommandResult(
                2, "up: GPU_RECLAIMER_CLUSTER must be a number from 0 to 255, was 256\n"));
  }

  private static final class BelowTarget implements TempDirFactory {
    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context)
        throws IOException {
      return Files.createTempDirectory(Files.createDirectories(Path.of("target/commands")), "x")
          .toAbsolutePath();
    }
  }

  /** What a cluster could leave: links, routes, mounts, cgroups, settings, processes and files. */
  private static String traces() {
    String state = "${GPU_RECLAIMER_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/gpu-reclaimer}/cluster/";
    return run(
            Map.of(),
            "bash",
            "-c",
            """
            number=%s
            ip -o link | cut -d ' ' -f 2 | grep "$number"
            ip route | grep "172.30.$number"
            cut -d ' ' -f 1-4 /proc/mounts
            find /sys/fs/cgroup -type d -path "*gpu-reclaimer-$number*"
            sysctl vm.overcommit_memory vm.panic_on_oom kernel.panic kernel.panic_on_oops \\
              kernel.keys.root_maxkeys kernel.keys.root_maxbytes net.ipv4.ip_forward
            cat /sys/fs/cgroup/cgroup.subtree_control 2>/dev/null
            ls /run /var/lib /var/log /etc /opt /mnt
            ps -eo args= | grep -E "172[.]30[.]$number[.]|/cluster/$number( |$)"
            ls -d "%s$number"
            """
                .formatted(NUMBER, state))
        .output();
  }

  private static CommandResult command(String name, String... arguments) {
    var command = new ArrayList<>(List.of(COMMANDS.resolve(name).toString()));
    command.addAll(List.of(arguments));
    return run(Map.of(), command.toArray(String[]::new));
  }

  private static Map<String, String> cache(Path folder) {
    return Map.of("GPU_RECLAIMER_CACHE", folder.toString());
  }

  private static CommandResult run(Map<String, String> environment, String... command) {
    try {
      var builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().remove("KUBECONFIG");
      builder.environment().put("GPU_RECLAIMER_CLUSTER", NUMBER);
      builder.environment().putAll(environment);
      Path output = Files.createTempFile("command", ".txt");
      Process process = builder.redirectOutput(output.toFile()).start();
      int exitCode = process.waitFor();
      String text = Files.readString(output);
      Files.delete(output);
      return new CommandResult(exitCode, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(
          "interrupted while " + Stream.of(command).toList() + " ran", e);
    }
  }

  /**
   * How a command ended.
   *
   * @param output what it said, on either stream
   */
  private record CommandResult(int exitCode, String output) {}
}
