package io.gpureclaimer.deviceplugin.kubelet;

import static io.gpureclaimer.deviceplugin.kubelet.FakeKubelet.claim;
import static io.gpureclaimer.deviceplugin.kubelet.FakeKubelet.container;
import static io.gpureclaimer.deviceplugin.kubelet.FakeKubelet.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing.Failed;
import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing.Listed;
import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing.Unsupported;
import io.grpc.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import v1.Api.ContainerDevices;
import v1.Api.ContainerResources;
import v1.Api.ListPodResourcesResponse;

@Timeout(60)
class PodResourcesTest {
  private static final String A = "GPU-aaaaaaaa-0000-0000-0000-000000000000";
  private static final String B = "GPU-bbbbbbbb-0000-0000-0000-000000000000";
  private static final Duration GENEROUS = Duration.ofSeconds(20);

  @TempDir Path folder;
  private Path socket;
  private FakeKubelet kubelet;
  private PodResources resources;

  @BeforeEach
  void prepare() {
    socket = folder.resolve("kubelet.sock");
    kubelet = new FakeKubelet(socket);
    resources =
        new PodResources(
            socket, GENEROUS, name -> name.startsWith("nvidia.com/"), "gpu.nvidia.com"::equals);
  }

  @AfterEach
  void stop() {
    resources.close();
    kubelet.close();
  }

  @Test
  void listsWhatEachContainerHolds() {
    kubelet.run(
        pod("ml", "train-0", A),
        pod("web", "no-gpu"),
        pod("ml", "train-1").toBuilder()
            .addContainers(container("side", "nvidia.com/gpu.shared", B + "::0", B + "::1"))
            .build());
    kubelet.start();

    assertThat(resources.list())
        .isEqualTo(
            new Listed(
                List.of(
                    new ContainerDevice("ml", "train-0", "main", "nvidia.com/gpu", A),
                    new ContainerDevice(
                        "ml", "train-1", "side", "nvidia.com/gpu.shared", B + "::0"),
                    new ContainerDevice(
                        "ml", "train-1", "side", "nvidia.com/gpu.shared", B + "::1"))));
  }

  @Test
  void listsADeviceOnce_whenTheKubeletNamesItForEachOfItsNumaNodes() {
    kubelet.run(pod("ml", "train-0", A, A));
    kubelet.start();

    assertThat(resources.list())
        .isEqualTo(
            new Listed(List.of(new ContainerDevice("ml", "train-0", "main", "nvidia.com/gpu", A))));
  }

  @Test
  void listsOnlyTheResourcesThatWereAskedFor() {
    kubelet.run(
        pod("net", "router").toBuilder()
            .addContainers(container("side", "example.com/port", "p0"))
            .addContainers(container("gpu", "nvidia.com/mig-1g.10gb", "MIG-a"))
            .build());
    kubelet.start();

    assertThat(resources.list())
        .isEqualTo(
            new Listed(
                List.of(
                    new ContainerDevice(
                        "net", "router", "gpu", "nvidia.com/mig-1g.10gb", "MIG-a"))));
  }

  @Test
  void listsWhatClaimsGave_ofTheDriversThatWereAskedFor() {
    kubelet.run(
        pod("ml", "train-0", A).toBuilder()
            .addContainers(
                container("side", "example.com/port").toBuilder()
                    .addDynamicResources(
                        claim("ml", "train-0-gpus", "gpu.nvidia.com", "node-a", "gpu-0", "gpu-1"))
                    .addDynamicResources(claim("ml", "nic", "nic.example.com", "node-a", "nic-0")))
            .build());
    kubelet.start();

    assertThat(resources.list())
        .isEqualTo(
            new Listed(
                List.of(new ContainerDevice("ml", "train-0", "main", "nvidia.com/gpu", A)),
                List.of(
                    new ClaimDevice(
                        "ml",
                        "train-0",
                        "side",
                        "train-0-gpus",
                        "ml",
                        "gpu.nvidia.com",
                        "node-a",
                        "gpu-0"),
                    new ClaimDevice(
                        "ml",
                        "train-0",
                        "side",
                        "train-0-gpus",
                        "ml",
                        "gpu.nvidia.com",
                        "node-a",
                        "gpu-1"))));
  }

  @Test
  void believesNothing_whenAClaimHasNoName() {
    kubelet.run(
        pod("ml", "train-0").toBuilder()
            .addContainers(
                container("side", "example.com/port").toBuilder()
                    .addDynamicResources(claim("ml", "", "gpu.nvidia.com", "node-a", "gpu-0")))
            .build());
    kubelet.start();

    assertThat(resources.list())
        .isEqualTo(
            new Failed(
                "malformed",
                socket
                    + ": the answer cannot be understood: claim of a claimed device must not be"
                    + " blank"));
  }

  @Test
  void listsNothing_whenNothingIsHeld() {
    kubelet.start();

    assertThat(resources.list()).isEqualTo(new Listed(List.of()));
  }

  @Test
  void namesTheSocket_whenItIsNotThere() {
    assertThat(resources.list())
        .isEqualTo(new Failed("unavailable", socket + ": UNAVAILABLE: No such file or directory"));
  }

  @Test
  void failsAtOnce_whenNothingListens() throws IOException {
    try (var left = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      left.bind(UnixDomainSocketAddress.of(socket));
    }

    assertThat(resources.list())
        .isEqualTo(new Failed("unavailable", socket + ": UNAVAILABLE: Connection refused"));
  }

  @Test
  void findsTheKubelet_asSoonAsItIsThere() {
    assertThat(resources.list()).isInstanceOf(Failed.class);
    assertThat(resources.list()).isInstanceOf(Failed.class);
    kubelet.run(pod("ml", "train-0", A));
    kubelet.start();

    assertThat(resources.list()).isInstanceOf(Listed.class);
  }

  @Test
  void findsTheKubeletAgain_afterItsRestart() {
    kubelet.run(pod("ml", "train-0", A));
    kubelet.start();
    var before = resources.list();
    kubelet.stop();
    assertThat(resources.list())
        .isInstanceOfSatisfying(
            Failed.class, failed -> assertThat(failed.code()).isEqualTo("unavailable"));
    kubelet.start();

    assertThat(resources.list()).isEqualTo(before);
  }

  @Test
  void findsTheKubeletAgain_whenItRestartsBetweenTwoQuestions() {
    kubelet.run(pod("ml", "train-0", A));
    kubelet.start();
    var before = resources.list();
    kubelet.stop();
    kubelet.start();

    assertThat(List.of(resources.list(), resources.list())).contains(before);
  }

  @Test
  void givesUp_whenTheKubeletHangs() {
    kubelet.hang();
    kubelet.start();

    try (var hurried = new PodResources(socket, Duration.ofMillis(200), _ -> true, _ -> true)) {
      assertThat(hurried.list())
          .isInstanceOfSatisfying(
              Failed.class, failed -> assertThat(failed.code()).isEqualTo("deadline_exceeded"));
    }
  }

  @Test
  void givesUp_whenTheSocketTakesConnectionsAndSaysNothing() throws IOException {
    try (var silent = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        var hurried = new PodResources(socket, Duration.ofMillis(200), _ -> true, _ -> true)) {
      silent.bind(UnixDomainSocketAddress.of(socket));

      assertThat(hurried.list())
          .isInstanceOfSatisfying(
              Failed.class, failed -> assertThat(failed.code()).isEqualTo("deadline_exceeded"));
    }
  }

  @Test
  void answersAgain_afterTheKubeletHung() {
    kubelet.hang();
    kubelet.start();
    try (var hurried = new PodResources(socket, Duration.ofSeconds(1), _ -> true, _ -> true)) {
      assertThat(hurried.list()).isInstanceOf(Failed.class);
      kubelet.run();

      assertThat(hurried.list()).isInstanceOf(Listed.class);
    }
  }

  @Test
  void isUnsupported_whenTheKubeletDoesNotKnowTheQuestion() {
    kubelet.refuse(Status.UNIMPLEMENTED.withDescription("unknown method List"));
    kubelet.start();

    assertThat(resources.list()).isEqualTo(new Unsupported());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          RESOURCE_EXHAUSTED | rejected by rate limit | resource_exhausted
          INTERNAL           | boom                   | internal
          PERMISSION_DENIED  | no                     | permission_denied
          """)
  void saysWhy_whenTheKubeletRefuses(Status.Code code, String why, String label) {
    kubelet.refuse(code.toStatus().withDescription(why));
    kubelet.start();

    assertThat(resources.list()).isEqualTo(new Failed(label, socket + ": " + code + ": " + why));
  }

  @Test
  void takesAnswersOfMoreThanFourMebibytes() {
    kubelet.answer(answerOf(5 * 1024 * 1024));
    kubelet.start();

    assertThat(resources.list())
        .isInstanceOfSatisfying(
            Listed.class, listed -> assertThat(listed.devices()).hasSizeGreaterThan(50_000));
  }

  @Test
  void refusesAnswersOfMoreThanSixteenMebibytes() {
    kubelet.answer(answerOf(17 * 1024 * 1024));
    kubelet.start();

    assertThat(resources.list())
        .isInstanceOfSatisfying(
            Failed.class,
            failed -> {
              assertThat(failed.code()).isEqualTo("resource_exhausted");
              assertThat(failed.reason()).contains("exceeds maximum size 16777216");
            });
  }

  @Test
  void believesNothing_whenAPodHasNoName() {
    kubelet.run(pod("ml", "train-0", A), pod("ml", "", B));
    kubelet.start();

    assertThat(resources.list())
        .isEqualTo(
            new Failed(
                "malformed",
                socket
                    + ": the answer cannot be understood: pod of a held device must not be blank"));
  }

  @Test
  void fails_whenSomethingElseListens() throws IOException {
    try (var other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      other.bind(UnixDomainSocketAddress.of(socket));
      var talk = CompletableFuture.runAsync(() -> sayHello(other));

      assertThat(resources.list())
          .isInstanceOfSatisfying(
              Failed.class, failed -> assertThat(failed.reason().lines()).hasSize(1));
      talk.join();
    }
  }

  @Test
  void fails_onceItIsClosed() {
    kubelet.start();
    resources.close();

    assertThat(resources.list()).isEqualTo(new Failed("cancelled", socket + ": we are closed"));
  }

  private static void sayHello(ServerSocketChannel other) {
    try (var connection = other.accept()) {
      connection.write(
          ByteBuffer.wrap("HTTP/1.1 200 OK\r\n\r\nhello\r\n".getBytes(StandardCharsets.UTF_8)));
      connection.shutdownOutput();
      connection.read(ByteBuffer.allocate(1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ListPodResourcesResponse answerOf(int bytes) {
    var devices = ContainerDevices.newBuilder().setResourceName("nvidia.com/port");
    for (int size = 0, number = 0; size < bytes; number++) {
      String id = "port-" + number;
      devices.addDeviceIds("x".repeat(64) + id);
      size += 64 + id.length() + 2;
    }
    return ListPodResourcesResponse.newBuilder()
        .addPodResources(
            pod("net", "router").toBuilder()
                .addContainers(ContainerResources.newBuilder().setName("main").addDevices(devices)))
        .build();
  }
}
