package io.gpureclaimer.deviceplugin.kubelet;

import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import io.gpureclaimer.deviceplugin.kubelet.PluginServer.Connections;
import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.Endpoint;
import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.RegisterAnswer;
import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.RegisterAnswer.Accepted;
import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.RegisterAnswer.Rejected;
import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.ServerStart;
import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.ServerStart.Impossible;
import io.gpureclaimer.deviceplugin.plugin.AllocationOutcome;
import io.gpureclaimer.deviceplugin.plugin.DeviceList;
import io.gpureclaimer.deviceplugin.plugin.DeviceList.ResourceDevices;
import io.gpureclaimer.deviceplugin.plugin.DevicePluginService;
import io.gpureclaimer.deviceplugin.plugin.PluginEvents;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import v1beta1.Api.DevicePluginOptions;
import v1beta1.Api.Empty;
import v1beta1.Api.RegisterRequest;
import v1beta1.RegistrationGrpc;

/**
 * Sockets of the node: the kubelet's, and those of the device plugin. One thread moves the bytes of
 * all of them; what the kubelet asks for runs on threads that come and go, so that an answer that
 * takes long keeps no list from going out.
 */
final class NodeSockets implements RegistrarEnvironment, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(NodeSockets.class);

  /** The only one there is. */
  private static final String VERSION = "v1beta1";

  private final Path kubelet;
  private final Path folder;
  private final KubeletTimeouts timeouts;
  private final Executor registrar;
  private final RandomGenerator random;
  private final MonotonicClock monotonic;
  private final EventLoopGroup loop =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("device-plugin-io", true), NioIoHandler.newFactory());
  private final ExecutorService calls =
      Executors.newCachedThreadPool(
          Thread.ofPlatform().name("device-plugin-call").daemon().factory());

  /**
   * @param kubelet its socket; ours go into the same folder
   * @param registrar runs tasks on the thread of the registrar
   */
  NodeSockets(
      Path kubelet,
      KubeletTimeouts timeouts,
      Executor registrar,
      RandomGenerator random,
      MonotonicClock monotonic) {
    this.kubelet = kubelet;
    this.folder = kubelet.resolveSibling("");
    this.timeouts = timeouts;
    this.registrar = registrar;
    this.random = random;
    this.monotonic = monotonic;
  }

  /** Runs something that may take a while. */
  Executor calls() {
    return calls;
  }

  @Override
  public Set<String> sockets() {
    var names = new HashSet<String>();
    try (var found = Files.newDirectoryStream(folder, SocketName.PREFIX + "*")) {
      found.forEach(path -> names.add(path.getFileName().toString()));
    } catch (IOException | DirectoryIteratorException e) {
      log.debug("cannot list device plugin sockets in {}", folder, e);
    }
    return names;
  }

  @Override
  public boolean hasListener(String socket) {
    try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.configureBlocking(false);
      channel.connect(UnixDomainSocketAddress.of(folder.resolve(socket)));
      return true;
    } catch (ConnectException e) {
      log.debug("no process listens at {}", socket, e);
      return false;
    } catch (IOException e) {
      log.debug("cannot determine whether a process listens at {}", socket, e);
      return true;
    }
  }

  @Override
  public ServerStart open(ResourceName resource, ResourceDevices offered, PluginEvents events) {
    int number = random.nextInt();
    return SocketName.of(folder, resource, number)
        .map(
            name ->
                PluginServer.open(
                    folder.resolve(name),
                    folder.resolve("." + HexFormat.of().toHexDigits(number)),
                    new DevicePluginService(
                        resource, offered, new PluginEventForwarder(registrar, events), monotonic),
                    new Connections(() -> registrar.execute(() -> {})),
                    loop,
                    calls,
                    timeouts.handshake()))
        .orElseGet(
            () ->
                new Impossible(
                    "the path "
                        + folder
                        + " is too long for a socket in it: with its name it may have "
                        + SocketName.LONGEST_PATH
                        + " bytes"));
  }

  @Override
  public void register(ResourceName resource, Endpoint endpoint, Consumer<RegisterAnswer> then) {
    var channel = KubeletChannel.to(kubelet, loop);
    RegistrationGrpc.newStub(channel)
        .withDeadlineAfter(timeouts.register())
        .register(
            RegisterRequest.newBuilder()
                .setVersion(VERSION)
                .setEndpoint(endpoint.name())
                .setResourceName(resource.value())
                .setOptions(
                    DevicePluginOptions.newBuilder().setGetPreferredAllocationAvailable(true))
                .build(),
            new RegisterObserver(channel, then));
  }

  @Override
  public void close() {
    calls.shutdownNow();
    var _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }

  private final class RegisterObserver implements StreamObserver<Empty> {
    private final ManagedChannel channel;
    private final Consumer<RegisterAnswer> then;

    RegisterObserver(ManagedChannel channel, Consumer<RegisterAnswer> then) {
      this.channel = channel;
      this.then = then;
    }

    @Override
    public void onNext(Empty accepted) {}

    @Override
    public void onCompleted() {
      report(new Accepted());
    }

    @Override
    public void onError(Throwable thrown) {
      var status = Status.fromThrowable(thrown);
      report(new Rejected(outcome(status), kubelet + ": " + GrpcStatusText.of(status)));
    }

    private void report(RegisterAnswer answer) {
      channel.shutdownNow();
      registrar.execute(() -> then.accept(answer));
    }

    private static RegistrationOutcome outcome(Status status) {
      return switch (status.getCode()) {
        case UNAVAILABLE -> RegistrationOutcome.UNREACHABLE;
        case DEADLINE_EXCEEDED -> RegistrationOutcome.TIMED_OUT;
        default -> RegistrationOutcome.REFUSED;
      };
    }
  }

  /** Forwards events from any thread to the registrar's thread. */
  record PluginEventForwarder(Executor registrar, PluginEvents to) implements PluginEvents {
    @Override
    public void streamsChanged() {
      registrar.execute(to::streamsChanged);
    }

    @Override
    public void sent(DeviceList list) {
      registrar.execute(() -> to.sent(list));
    }

    @Override
    public void allocated(AllocationOutcome outcome, Duration took) {
      registrar.execute(() -> to.allocated(outcome, took));
    }

    @Override
    public void preferred(Duration took) {
      registrar.execute(() -> to.preferred(took));
    }
  }
}
