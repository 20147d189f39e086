package io.gpureclaimer.exporter.attribution;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.core.device.Entity;
import io.gpureclaimer.core.device.GpuUuid;
import io.gpureclaimer.core.kubelet.HeldDevice;
import io.gpureclaimer.core.kubelet.Listing;
import io.gpureclaimer.core.kubelet.Listing.Failed;
import io.gpureclaimer.core.kubelet.Listing.Listed;
import io.gpureclaimer.core.kubelet.Listing.Unsupported;
import io.gpureclaimer.exporter.attribution.PodUids.Known;
import io.gpureclaimer.exporter.attribution.PodUids.Watch;
import io.gpureclaimer.exporter.attribution.SourceState.Contact;
import io.gpureclaimer.exporter.attribution.SourceState.OfKubelet;
import io.gpureclaimer.exporter.sample.Holder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KubeletHoldersTest {
  private static final String A = "GPU-aaaaaaaa-0000-0000-0000-000000000000";
  private static final String B = "GPU-bbbbbbbb-0000-0000-0000-000000000000";
  private static final Failed GONE = new Failed("unavailable", "s: no such file");
  private static final Holder TRAIN = new Holder("ml", "train-0", "main", null);
  private static final Map<Entity, List<Holder>> HELD =
      Map.of(Entity.whole(new GpuUuid(A)), List.of(TRAIN));

  private Listing listing = GONE;
  private Known pods = PodUids.none().now();
  private long nanos;
  private final KubeletHolders holders =
      new KubeletHolders(() -> listing, () -> pods, Duration.ofSeconds(30), () -> nanos);

  @Test
  void knowsNobody_beforeTheKubeletWasAsked() {
    assertThat(holders.now())
        .isEqualTo(nobody(new Contact.NeverHeard("it was not asked yet"), Map.of()));
  }

  @Test
  void knowsNobody_untilTheKubeletAnswers() {
    refresh(GONE);
    refresh(new Failed("deadline_exceeded", "s: too slow"));

    assertThat(holders.now())
        .isEqualTo(
            nobody(
                new Contact.NeverHeard("s: too slow"),
                Map.of("unavailable", 1L, "deadline_exceeded", 1L)));
  }

  @Test
  void knowsWhatTheKubeletSays() {
    refresh(listed(gpu("train-0", A)));

    assertThat(holders.now())
        .isEqualTo(
            new Attribution(
                HELD,
                new OfKubelet(
                    new Contact.Answering(), Map.of(), OptionalInt.of(0), new Watch.NotAsked())));
  }

  @Test
  void forgetsAPod_asSoonAsTheKubeletDoes() {
    refresh(listed(gpu("train-0", A)));
    refresh(listed());

    assertThat(holders.now())
        .isEqualTo(
            new Attribution(
                Map.of(),
                new OfKubelet(
                    new Contact.Answering(), Map.of(), OptionalInt.of(0), new Watch.NotAsked())));
  }

  @Test
  void letsTheLastAnswerStand_whileItIsNotTooOld() {
    refresh(listed(gpu("train-0", A)));
    nanos = Duration.ofSeconds(30).toNanos();
    refresh(GONE);

    assertThat(holders.now())
        .isEqualTo(
            new Attribution(
                HELD,
                new OfKubelet(
                    new Contact.Silent("s: no such file"),
                    Map.of("unavailable", 1L),
                    OptionalInt.of(0),
                    new Watch.NotAsked())));
  }

  @Test
  void knowsNobody_onceTheLastAnswerIsTooOld() {
    refresh(listed(gpu("train-0", A), gpu("train-1", "MIG-x")));
    refresh(GONE);
    nanos = Duration.ofSeconds(30).toNanos() + 1;

    assertThat(holders.now())
        .isEqualTo(nobody(new Contact.Silent("s: no such file"), Map.of("unavailable", 1L)));
  }

  @Test
  void knowsNobody_whenTheJobThatAsksIsStuck() {
    refresh(listed(gpu("train-0", A)));
    nanos = Duration.ofSeconds(31).toNanos();

    assertThat(holders.now())
        .isEqualTo(nobody(new Contact.Silent("it was asked too long ago"), Map.of()));
  }

  @Test
  void countsTheAgeOfAnAnswer_fromWhenItWasAskedFor() {
    listing = listed(gpu("train-0", A));
    var slow =
        new KubeletHolders(
            () -> {
              nanos += Duration.ofSeconds(20).toNanos();
              return listing;
            },
            PodUids.none(),
            Duration.ofSeconds(30),
            () -> nanos);
    slow.refresh();
    nanos += Duration.ofSeconds(11).toNanos();

    assertThat(slow.now().holders()).isEmpty();
  }

  @Test
  void saysThatTheKubeletIsTooOld_whenItDoesNotKnowTheQuestion() {
    refresh(new Unsupported());

    assertThat(holders.now())
        .isEqualTo(
            nobody(
                new Contact.NeverHeard("it is older than 1.20 and does not offer pod-resources v1"),
                Map.of("unimplemented", 1L)));
  }

  @Test
  void answersAgain_afterItWasSilent() {
    refresh(GONE);
    refresh(listed(gpu("train-0", A)));

    assertThat(holders.now())
        .isEqualTo(
            new Attribution(
                HELD,
                new OfKubelet(
                    new Contact.Answering(),
                    Map.of("unavailable", 1L),
                    OptionalInt.of(0),
                    new Watch.NotAsked())));
  }

  @Test
  void putsTheHoldersOfASharedGpuTogether() {
    refresh(listed(gpu("a", A + "::0"), gpu("b", A + "::1"), gpu("b", A + "::2"), gpu("c", B)));

    assertThat(holders.now().holders())
        .isEqualTo(
            Map.of(
                Entity.whole(new GpuUuid(A)),
                List.of(holder("a", null), holder("b", null), holder("b", null)),
                Entity.whole(new GpuUuid(B)),
                List.of(holder("c", null))));
  }

  @Test
  void guessesNothing_aboutAMigInstance() {
    refresh(
        listed(
            gpu("train-0", A),
            new HeldDevice("ml", "mig", "main", "nvidia.com/mig-1g.10gb", "MIG-b0"),
            gpu("gke", "nvidia0")));

    assertThat(holders.now())
        .isEqualTo(
            new Attribution(
                HELD,
                new OfKubelet(
                    new Contact.Answering(), Map.of(), OptionalInt.of(2), new Watch.NotAsked())));
  }

  @Test
  void addsTheUid_ofAPodThatIsKnown() {
    pods = known(Map.of(name("train-0"), "uid-1"), Set.of());
    refresh(listed(gpu("train-0", A), gpu("train-1", B)));

    assertThat(holders.now().holders())
        .isEqualTo(
            Map.of(
                Entity.whole(new GpuUuid(A)),
                List.of(holder("train-0", "uid-1")),
                Entity.whole(new GpuUuid(B)),
                List.of(holder("train-1", null))));
  }

  @Test
  void doesNotMixUpPodsOfTwoNamespaces() {
    pods = known(Map.of(new PodName("web", "train-0"), "uid-9"), Set.of());
    refresh(listed(gpu("train-0", A)));

    assertThat(holders.now().holders()).isEqualTo(HELD);
  }

  @Test
  void leavesOutAPodThatHasEnded_evenIfTheKubeletStillListsIt() {
    pods = known(Map.of(), Set.of(name("train-0")));
    refresh(listed(gpu("train-0", A)));

    assertThat(holders.now().holders()).isEmpty();
  }

  @Test
  void neverPutsTheNewUidOnTheOldHolder_whenAPodIsReplacedWhileTheKubeletIsAsked() {
    pods = known(Map.of(name("train-0"), "old"), Set.of());
    var replaced =
        new KubeletHolders(
            () -> {
              pods = known(Map.of(name("train-0"), "new"), Set.of());
              return listed(gpu("train-0", A));
            },
            () -> pods,
            Duration.ofSeconds(30),
            () -> nanos);
    replaced.refresh();

    assertThat(replaced.now().holders())
        .isEqualTo(Map.of(Entity.whole(new GpuUuid(A)), List.of(holder("train-0", "old"))));
    replaced.refresh();
    assertThat(replaced.now().holders())
        .isEqualTo(Map.of(Entity.whole(new GpuUuid(A)), List.of(holder("train-0", "new"))));
  }

  @Test
  void doesNotPutANewUidOnAnAnswerThatStandsFromBefore() {
    pods = known(Map.of(name("train-0"), "old"), Set.of());
    refresh(listed(gpu("train-0", A)));
    pods = known(Map.of(name("train-0"), "new"), Set.of());
    refresh(GONE);

    assertThat(holders.now().holders())
        .isEqualTo(Map.of(Entity.whole(new GpuUuid(A)), List.of(holder("train-0", "old"))));
  }

  private void refresh(Listing next) {
    listing = next;
    holders.refresh();
  }

  private static Attribution nobody(Contact contact, Map<String, Long> failures) {
    return new Attribution(
        Map.of(), new OfKubelet(contact, failures, OptionalInt.empty(), new Watch.NotAsked()));
  }

  private static Known known(Map<PodName, String> running, Set<PodName> ended) {
    return new Known(new Watch.Whole(), running, ended);
  }

  private static PodName name(String pod) {
    return new PodName("ml", pod);
  }

  private static Holder holder(String pod, @Nullable String uid) {
    return new Holder("ml", pod, "main", uid);
  }

  private static Listed listed(HeldDevice... devices) {
    return new Listed(List.of(devices));
  }

  private static HeldDevice gpu(String pod, String id) {
    return new HeldDevice("ml", pod, "main", "nvidia.com/gpu", id);
  }
}
