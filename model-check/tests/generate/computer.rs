//! The far side: a computer that does as it is told, and decides for itself what it obeys.

use outlive::snapshot::{Act, Answer, Call, WipeOrder};
use outlive::trace::ComputerRecorder;
use outlive::{Generation, Incarnation, LifeName, PageName};
use outlive_spec::requirement::Requirement;

/// The process of one computer, step by step.
pub(crate) struct Computer {
    pub(crate) recorder: ComputerRecorder,
    pub(crate) life: LifeName,
    pub(crate) incarnation: Option<Incarnation>,
    pub(crate) generation: Option<Generation>,
    /// What the store has answered to the last question.
    pub(crate) reply: Option<Incarnation>,
}

/// What was refused, and why.
pub(crate) type Refused = Requirement;

impl Computer {
    pub(crate) async fn restart(&mut self, life: LifeName) {
        self.life = life;
        (self.incarnation, self.generation, self.reply) = (None, None, None);
        self.recorder.restart(&self.life).await.expect("the restart is recorded");
    }

    pub(crate) async fn learn(&mut self) -> Option<Incarnation> {
        let incarnation = self.reply.take()?;
        self.incarnation = Some(incarnation);
        self.recorder.learn(incarnation).await.expect("it is recorded");
        Some(incarnation)
    }

    pub(crate) async fn answer(&mut self, call: &Call) -> Result<Answer, Refused> {
        if self.incarnation != Some(call.incarnation()) {
            self.recorder.refuse_answer(call.incarnation(), call.operation()).await.expect("it is recorded");
            return Err(Requirement::Restart3);
        }
        let next = self.generation.map_or(0, Generation::number) + 1;
        let generation = Generation::try_from(next).expect("a script hands out few pages");
        self.generation = Some(generation);
        let page = PageName::new(call.incarnation(), generation);
        self.recorder.answer(page, call.operation()).await.expect("it is recorded");
        Ok(Answer::new(page, "a page"))
    }

    /// It counts on from where it was, or from the beginning, as its script says: there are computers of both kinds.
    pub(crate) async fn wipe(&mut self, order: &WipeOrder, life: LifeName, counts_on: bool) -> Result<(), Refused> {
        if self.incarnation != Some(order.incarnation()) {
            self.recorder.refuse_wipe(order.incarnation(), order.by()).await.expect("it is recorded");
            return Err(Requirement::Reset3);
        }
        self.life = life;
        self.generation = self.generation.filter(|_| counts_on);
        (self.incarnation, self.reply) = (None, None);
        let wiped = self.recorder.wipe(order.incarnation(), order.by(), &self.life, self.generation);
        wiped.await.expect("it is recorded");
        Ok(())
    }

    pub(crate) async fn perform(&mut self, act: &Act) -> Result<(), Refused> {
        let newest = self.incarnation.zip(self.generation).map(|(own, newest)| PageName::new(own, newest));
        if newest != Some(act.page()) {
            self.recorder.refuse_perform(act.page(), act.operation()).await.expect("it is recorded");
            return Err(Requirement::Restart5);
        }
        self.recorder.perform(act.page(), act.operation()).await.expect("it is recorded");
        Ok(())
    }
}
