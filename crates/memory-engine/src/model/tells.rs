//! How much a turn of a conversation tells, as far as the built-in table sees it: facts, events, plans and tastes lie on one
//! side of its space, greetings, thanks and bare questions on the other. `tools/distill/tells.py` found which way.

static WEIGHTS: &[u8] = include_bytes!("../../assets/tells.bin");

/// Beyond so many spreads from the middle more is no more.
const MOST: f32 = 1.5;

/// From −1 for what tells nothing to 1, of a vector in bytes, however long it is; 0 for one that says nothing.
pub(super) fn how_much(vector: &[u8]) -> f32 {
    let mut weights = WEIGHTS.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four));
    let square: i32 = vector.iter().map(|&x| i32::from(x as i8) * i32::from(x as i8)).sum();
    if 4 * (vector.len() + 1) != WEIGHTS.len() || square == 0 {
        return 0.0;
    }
    let sum: f32 = vector.iter().zip(&mut weights).map(|(&x, weight)| f32::from(x as i8) * weight).sum();
    let spreads = sum / (square as f32).sqrt() + weights.next().unwrap_or_default();
    spreads.clamp(-MOST, MOST) / MOST
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Table;

    fn told(text: &str) -> f32 {
        let vector = Table::built_in().vector(text);
        how_much(&vector.into_iter().map(|x| (200.0 * x) as i8 as u8).collect::<Vec<_>>())
    }

    #[test]
    fn facts_tell_more_than_thanks() {
        let facts = [
            "Ana: My sister Clara moved to Lisbon in May with her two dogs",
            "Ben: I started a pottery class on Thursdays at the old mill",
            "Zé: Comprei uma bicicleta usada por 300 reais no sábado",
        ];
        let talk = [
            "Ana: That sounds amazing, I am so happy for you!",
            "Ben: Haha yeah, how are you?",
            "Zé: Nossa, que bom! Parabéns, você merece",
        ];
        for (fact, talk) in facts.iter().zip(talk) {
            assert!(told(fact) > told(talk) + 0.5, "{fact} {} {talk} {}", told(fact), told(talk));
        }
        assert_eq!((told(""), told("こんにちは")), (0.0, 0.0));
        assert_eq!(how_much(&[1, 2, 3]), 0.0, "vectors of others say nothing");
    }
}
