package io.gpureclaimer.deviceplugin.kubelet;

import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import v1.Api.AllocatableResourcesRequest;
import v1.Api.AllocatableResourcesResponse;
import v1.Api.ClaimResource;
import v1.Api.ContainerDevices;
import v1.Api.ContainerResources;
import v1.Api.DynamicResource;
import v1.Api.ListPodResourcesRequest;
import v1.Api.ListPodResourcesResponse;
import v1.Api.PodResources;
import v1.PodResourcesListerGrpc;

/**
 * A kubelet's pod-resources API on a unix socket, with whatever pods a test wants, and the faults
 * of the real one. Not there until it is started. Safe for use by several threads.
 */
public final class FakeKubelet implements AutoCloseable {
  private final Path socket;
  private final EventLoopGroup loop =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("fake-kubelet", true), NioIoHandler.newFactory());
  private final AtomicReference<KubeletBehavior> behavior = new AtomicReference<>(new Answers());
  private final AtomicInteger questions = new AtomicInteger();
  private final AtomicReference<@Nullable Supplier<Map<String, Set<String>>>> allocatable =
      new AtomicReference<>(Map::of);
  private @Nullable Server server;

  /**
   * @param socket where it is going to listen; its folder must exist
   */
  public FakeKubelet(Path socket) {
    this.socket = socket;
  }

  /** Starts to listen, with the pods it had before. */
  public synchronized void start() {
    try {
      Files.deleteIfExists(socket);
      server =
          NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
              .channelType(NioServerDomainSocketChannel.class)
              .bossEventLoopGroup(loop)
              .workerEventLoopGroup(loop)
              .directExecutor()
              .addService(new Lister())
              .build()
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException("a fake kubelet cannot listen at " + socket, e);
    }
  }

  /** Goes away, socket and connections and all. */
  public synchronized void stop() {
    try {
      if (server != null) {
        server.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
        server = null;
      }
      Files.deleteIfExists(socket);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException("a fake kubelet cannot leave " + socket, e);
    }
  }

  /** These pods run from now on, and no others; a kubelet that was unwell is well again. */
  public void run(PodResources... pods) {
    answer(ListPodResourcesResponse.newBuilder().addAllPodResources(Arrays.asList(pods)).build());
  }

  /** Says this from now on. */
  public void answer(ListPodResourcesResponse answer) {
    behavior.set(new Answers(answer));
  }

  /** Refuses every question from now on. */
  public void refuse(Status status) {
    behavior.set(new Refuses(status));
  }

  /** Takes every question from now on, and never answers. */
  public void hang() {
    behavior.set(new Hangs());
  }

  /** From now on, these are the healthy devices by the name of their resource, asked each time. */
  public void allocatable(Supplier<Map<String, Set<String>>> ids) {
    allocatable.set(ids);
  }

  /** From now on it does not know the question for healthy devices. */
  public void withoutAllocatable() {
    allocatable.set(null);
  }

  /** How often it was asked so far. */
  public int questions() {
    return questions.get();
  }

  /** A pod with one container, {@code main}, that holds these devices as {@code nvidia.com/gpu}. */
  public static PodResources pod(String namespace, String name, String... ids) {
    return PodResources.newBuilder()
        .setNamespace(namespace)
        .setName(name)
        .addContainers(container("main", "nvidia.com/gpu", ids))
        .build();
  }

  /** A container, with one entry for each device, as the kubelet writes it. */
  public static ContainerResources container(String name, String resource, String... ids) {
    var container = ContainerResources.newBuilder().setName(name);
    for (String id : ids) {
      container.addDevices(
          ContainerDevices.newBuilder().setResourceName(resource).addDeviceIds(id));
    }
    return container.build();
  }

  /** A claim that gave these devices of one pool to a container, as the kubelet writes it. */
  public static DynamicResource claim(
      String namespace, String name, String driver, String pool, String... devices) {
    var claim = DynamicResource.newBuilder().setClaimNamespace(namespace).setClaimName(name);
    for (String device : devices) {
      claim.addClaimResources(
          ClaimResource.newBuilder().setDriverName(driver).setPoolName(pool).setDeviceName(device));
    }
    return claim.build();
  }

  @Override
  public void close() {
    stop();
    var _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }

  private sealed interface KubeletBehavior {}

  private record Answers(ListPodResourcesResponse answer) implements KubeletBehavior {
    Answers() {
      this(ListPodResourcesResponse.getDefaultInstance());
    }
  }

  private record Refuses(Status status) implements KubeletBehavior {}

  private record Hangs() implements KubeletBehavior {}

  private final class Lister extends PodResourcesListerGrpc.PodResourcesListerImplBase {
    @Override
    public void list(
        ListPodResourcesRequest request, StreamObserver<ListPodResourcesResponse> into) {
      questions.incrementAndGet();
      switch (behavior.get()) {
        case Answers(var answer) -> {
          into.onNext(answer);
          into.onCompleted();
        }
        case Refuses(var status) -> into.onError(status.asException());
        case Hangs() -> {}
      }
    }

    @Override
    public void getAllocatableResources(
        AllocatableResourcesRequest request, StreamObserver<AllocatableResourcesResponse> into) {
      questions.incrementAndGet();
      var ids = allocatable.get();
      switch (behavior.get()) {
        case Answers _ when ids == null ->
            into.onError(Status.UNIMPLEMENTED.withDescription("unknown method").asException());
        case Answers _ -> {
          into.onNext(response(ids.get()));
          into.onCompleted();
        }
        case Refuses(var status) -> into.onError(status.asException());
        case Hangs() -> {}
      }
    }

    /** One entry for each device, as the kubelet writes it. */
    private static AllocatableResourcesResponse response(Map<String, Set<String>> all) {
      var response = AllocatableResourcesResponse.newBuilder();
      all.forEach(
          (resource, ids) ->
              ids.forEach(
                  id ->
                      response.addDevices(
                          ContainerDevices.newBuilder()
                              .setResourceName(resource)
                              .addDeviceIds(id))));
      return response.build();
    }
  }
}
