package io.gpureclaimer.reclaimer.notify;

import io.gpureclaimer.reclaimer.client.HttpFailure;
import io.gpureclaimer.reclaimer.client.TrustedHttpClient;
import io.gpureclaimer.reclaimer.client.TrustedHttpClient.ConnectionFileException;
import io.gpureclaimer.reclaimer.execution.Checkpoints.HookCaller;
import io.gpureclaimer.reclaimer.execution.Checkpoints.HookReply;
import io.gpureclaimer.reclaimer.execution.Checkpoints.HookRequest;
import io.gpureclaimer.reclaimer.json.Json;
import io.gpureclaimer.reclaimer.policy.CheckpointUrl;
import io.micronaut.serde.annotation.Serdeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Posts to checkpoint hooks. An administrator allows their URLs, and tenants choose among them, so
 * it sends no credentials, follows no redirect, reads little of an answer, and connects to no
 * internal address that a name leads to. Safe for any thread.
 */
public final class CheckpointWebhook implements HookCaller {
  static final long LONGEST_ANSWER_BYTES = 64 * 1024;

  /** Metadata services of clouds at other addresses than link-local ones. */
  private static final Set<String> METADATA =
      Set.of("100.100.100.200", "168.63.129.16", "fd00:ec2:0:0:0:0:0:254");

  private final TrustedHttpClient trust;
  private final HostLookup hosts;
  private final Clock clock;

  /**
   * @param caFile PEM certificates to trust instead of the JVM's; read for each call
   */
  public CheckpointWebhook(Optional<Path> caFile, Clock clock) {
    this(caFile, InetAddress::getAllByName, clock);
  }

  CheckpointWebhook(Optional<Path> caFile, HostLookup hosts, Clock clock) {
    this.trust = new TrustedHttpClient(caFile);
    this.hosts = hosts;
    this.clock = clock;
  }

  /** Finds the addresses of a host. */
  @FunctionalInterface
  interface HostLookup {
    InetAddress[] lookup(String host) throws UnknownHostException;
  }

  /** The body of the request. */
  @Serdeable
  record CheckpointBody(
      int schema,
      String actionId,
      String action,
      String namespace,
      String kind,
      String name,
      List<String> pods,
      String actNotBefore,
      Optional<Long> gracePeriodSeconds,
      long answerWithinSeconds) {
    static CheckpointBody of(HookRequest request) {
      return new CheckpointBody(
          Payload.SCHEMA,
          request.actionId(),
          request.action(),
          request.namespace(),
          request.kind(),
          request.name(),
          request.pods(),
          request.actNotBefore(),
          request.gracePeriod().map(Duration::toSeconds),
          request.timeout().toSeconds());
    }
  }

  @Override
  public Future<HookReply> call(CheckpointUrl url, HookRequest request) {
    var call = new FutureTask<>(() -> post(url, request));
    Thread.ofVirtual().name("checkpoint-hook").start(call);
    return call;
  }

  private HookReply post(CheckpointUrl url, HookRequest request) {
    Optional<String> problem = problem(url, request);
    return new HookReply(clock.instant(), problem);
  }

  private Optional<String> problem(CheckpointUrl url, HookRequest request) {
    try {
      Optional<String> refused = refusedAddress(url);
      return refused.isPresent() ? refused : send(url, request);
    } catch (UnknownHostException e) {
      return Optional.of(HttpFailure.text(e));
    } catch (ConnectionFileException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return Optional.of("interrupted");
    }
  }

  private Optional<String> send(CheckpointUrl url, HookRequest request)
      throws InterruptedException {
    HttpRequest post =
        HttpRequest.newBuilder(URI.create(url.toString()))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(Json.line(CheckpointBody.of(request))))
            .build();
    CompletableFuture<HttpResponse<Void>> answer =
        trust
            .client()
            .sendAsync(
                post, BodyHandlers.limiting(BodyHandlers.discarding(), LONGEST_ANSWER_BYTES));
    try {
      return problem(answer.get(request.timeout().toNanos(), TimeUnit.NANOSECONDS).statusCode());
    } catch (TimeoutException _) {
      return Optional.of("no answer within " + request.timeout().toSeconds() + " s");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        return Optional.of(HttpFailure.text(failure));
      }
      throw new IllegalStateException("unexpected failure of a checkpoint hook", e.getCause());
    } finally {
      answer.cancel(true);
    }
  }

  private static Optional<String> problem(int code) {
    if (code >= 200 && code < 300) {
      return Optional.empty();
    }
    String redirect = code >= 300 && code < 400 ? ", a redirect, which is not followed" : "";
    String refusal = code == 409 || code == 423 ? ", which means not now" : "";
    return Optional.of("it answered " + code + redirect + refusal);
  }

  /**
   * Why the host is not called, if so. The JVM keeps the addresses of a name for 30 s, so the
   * client connects to those that are checked here.
   */
  private Optional<String> refusedAddress(CheckpointUrl url) throws UnknownHostException {
    return url.namesAddress()
        ? Optional.empty()
        : Arrays.stream(hosts.lookup(url.host()))
            .filter(CheckpointWebhook::isInternal)
            .findFirst()
            .map(
                address ->
                    "its host has the address "
                        + address.getHostAddress()
                        + ", which is called only if checkpoint.allowed names the address");
  }

  /** Whether it leads to the reclaimer itself, its node, or the metadata service of a cloud. */
  private static boolean isInternal(InetAddress address) {
    return address.isLoopbackAddress()
        || address.isLinkLocalAddress()
        || address.isAnyLocalAddress()
        || address.isMulticastAddress()
        || METADATA.contains(address.getHostAddress());
  }
}
