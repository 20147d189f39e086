package io.gpureclaimer.verification.scenario.harness;

import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.extension.ResponseDefinitionTransformerV2;
import com.github.tomakehurst.wiremock.http.ResponseDefinition;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpureclaimer.common.vocabulary.LedgerMetrics;
import io.gpureclaimer.common.vocabulary.ResourceNames;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Answers as a Prometheus would whose agents were scraped this moment: the test says which pods it
 * knows, which of them work, and how long a second look takes. Each pod has as many GPUs as it
 * requests, at least one, which do the same. Safe for any thread.
 */
public final class StubPrometheus implements AutoCloseable {
  private static final String RAW_UTILIZATION = "DCGM_FI_DEV_GPU_UTIL";
  private static final double MILLIS_PER_SECOND = 1_000.0;
  private static final String LEDGER = "gpu_pod_";

  /** In a query that asks for the time of the source. */
  private static final String OF_SOURCE = "source_time";

  private static final double RECENT_SECONDS = 60;
  private static final Pattern UIDS = Pattern.compile("\\bpod_uid=~\"([^\"]*)\"");
  private static final Pattern LIST_OF_UIDS = Pattern.compile("[-0-9a-f|]*");

  private final InstantSource clock = InstantSource.system();
  private final double observedSince =
      clock.instant().minus(Duration.ofDays(1)).toEpochMilli() / MILLIS_PER_SECOND;
  private final Map<String, StubActivity> activities = new ConcurrentHashMap<>();
  private final AtomicReference<Optional<HeldAnswers>> hold =
      new AtomicReference<>(Optional.empty());
  private final WireMockServer server =
      new WireMockServer(
          options().dynamicPort().disableRequestJournal().extensions(new StubAnswers()));

  /**
   * What the GPUs of a pod do.
   *
   * @param lastActive when they worked last, in seconds; empty if they never did, or work now
   */
  private record StubActivity(int gpus, boolean works, OptionalDouble lastActive) {
    static StubActivity of(Pod pod, boolean works, OptionalDouble lastActive) {
      int gpus =
          pod.getSpec().getContainers().stream()
              .map(Container::getResources)
              .filter(resources -> resources != null && resources.getLimits() != null)
              .map(resources -> resources.getLimits().get(ResourceNames.GPU))
              .filter(Objects::nonNull)
              .mapToInt(gpu -> gpu.getNumericalAmount().intValue())
              .sum();
      return new StubActivity(Math.max(1, gpus), works, lastActive);
    }
  }

  StubPrometheus() {
    server.start();
    server.stubFor(any(anyUrl()).willReturn(ok()));
  }

  URI address() {
    return URI.create(server.baseUrl());
  }

  /** From now on the pod's GPU does nothing, and it never did. */
  public void showsIdle(Pod pod) {
    activities.put(pod.getMetadata().getUid(), StubActivity.of(pod, false, OptionalDouble.empty()));
  }

  /** The pod's GPUs worked until now. */
  public void showsIdleFromNowOn(Pod pod) {
    activities.put(
        pod.getMetadata().getUid(),
        StubActivity.of(pod, false, OptionalDouble.of(clock.millis() / MILLIS_PER_SECOND)));
  }

  /** The pod is no longer known. */
  public void forgets(Pod pod) {
    activities.remove(pod.getMetadata().getUid());
  }

  /** From now on the pod's GPU works. */
  public void showsBusy(Pod pod) {
    activities.put(pod.getMetadata().getUid(), StubActivity.of(pod, true, OptionalDouble.empty()));
  }

  /** From now on every second look waits for the test. */
  public HeldAnswers holdSecondLooks() {
    var held = new HeldAnswers();
    hold.set(Optional.of(held));
    return held;
  }

  @Override
  public void close() {
    hold.get().ifPresent(HeldAnswers::end);
    server.stop();
  }

  /** Computes each answer when it is due. */
  private final class StubAnswers implements ResponseDefinitionTransformerV2 {

    @Override
    public String getName() {
      return "evidence";
    }

    @Override
    public ResponseDefinition transform(ServeEvent asked) {
      String query =
          URLDecoder.decode(asked.getRequest().getBodyAsString(), StandardCharsets.UTF_8);
      if (query.contains(RAW_UTILIZATION)) {
        hold.get().ifPresent(HeldAnswers::pass);
      }
      return ResponseDefinitionBuilder.like(asked.getResponseDefinition())
          .withBody(answer(query))
          .build();
    }
  }

  private String answer(String query) {
    double now = clock.millis() / MILLIS_PER_SECOND;
    boolean secondLook = query.contains(RAW_UTILIZATION);
    Predicate<String> asked = asked(query);
    boolean ofRecords = query.contains(LedgerMetrics.OBSERVED_UNTIL) || !query.contains(OF_SOURCE);
    Map<String, StubActivity> pods = query.contains(LEDGER) ? activities : Map.of();
    return pods.entrySet().stream()
        .filter(pod -> !secondLook || query.contains(pod.getKey()))
        .filter(pod -> asked.test(pod.getKey()))
        .flatMap(
            pod ->
                ofRecords
                    ? series(pod.getKey(), pod.getValue(), secondLook, now)
                    : recentWork(pod.getKey(), pod.getValue(), query, now))
        .collect(
            Collectors.joining(
                ",",
                "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[",
                "]}}"));
  }

  /** In a large cluster, one query is about the last activity of working pods alone. */
  private static Stream<String> recentWork(
      String uid, StubActivity activity, String query, double now) {
    OptionalDouble last = activity.works() ? OptionalDouble.of(now) : activity.lastActive();
    return query.contains(LedgerMetrics.LAST_ACTIVE)
        ? last.stream()
            .filter(at -> at > now - RECENT_SECONDS)
            .mapToObj(at -> sample("\"pod_uid\":\"" + uid + "\"", now, at))
        : Stream.empty();
  }

  /** The pods that a query matches by UID, which are all if it names none. */
  private static Predicate<String> asked(String query) {
    Matcher matcher = UIDS.matcher(query);
    if (!matcher.find()) {
      return _ -> true;
    }
    String uids = matcher.group(1);
    return LIST_OF_UIDS.matcher(uids).matches()
        ? Set.of(uids.split("\\|", -1))::contains
        : Pattern.compile(uids).asMatchPredicate();
  }

  private Stream<String> series(String uid, StubActivity activity, boolean secondLook, double now) {
    String count =
        sample(
            named(LedgerMetrics.DEVICE_COUNT) + "\"pod_uid\":\"" + uid + "\"",
            now,
            activity.gpus());
    return Stream.concat(
        Stream.of(count),
        IntStream.range(0, activity.gpus())
            .mapToObj(gpu -> gpu == 0 ? uid : uid + "-" + gpu)
            .flatMap(gpu -> series(uid, gpu, activity, secondLook, now)));
  }

  private Stream<String> series(
      String uid, String gpu, StubActivity activity, boolean secondLook, double now) {
    String holder = "\"pod_uid\":\"" + uid + "\",\"UUID\":\"GPU-" + gpu + "\"";
    Stream<String> ledger =
        Stream.of(
            sample(named(LedgerMetrics.OBSERVED_SINCE) + holder, now, observedSince),
            sample(named(LedgerMetrics.OBSERVED_UNTIL) + holder, now, now),
            sample("\"_kind\":\"sampled_at\"," + holder, now, now));
    Stream<String> work =
        activity.works()
            ? Stream.of(sample(named(LedgerMetrics.LAST_ACTIVE) + holder, now, now))
            : Stream.of(sample("\"_kind\":\"busy\"," + holder, now, 0));
    Stream<String> before =
        activity.lastActive().stream()
            .mapToObj(last -> sample(named(LedgerMetrics.LAST_ACTIVE) + holder, now, last));
    Stream<String> utilization =
        secondLook
            ? Stream.of(
                sample(
                    "\"_kind\":\"utilization\",\"UUID\":\"GPU-" + gpu + "\"",
                    now,
                    activity.works() ? 80 : 0))
            : Stream.empty();
    return Stream.of(ledger, work, before, utilization).flatMap(all -> all);
  }

  private static String named(String name) {
    return "\"__name__\":\"" + name + "\",";
  }

  private static String sample(String labels, double at, double value) {
    return "{\"metric\":{" + labels + "},\"value\":[" + at(at) + ",\"" + at(value) + "\"]}";
  }

  /** Without an exponent, which a Prometheus does not write for times. */
  private static String at(double seconds) {
    return java.math.BigDecimal.valueOf(seconds).toPlainString();
  }
}
