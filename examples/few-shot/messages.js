// Messages to a shop, fifteen for each of four labels, for sentences.js. The first five of each are for learning.

export const messages = {
  delivery: [
    "Where is my parcel?", "The package still has not arrived.", "When will you ship my order?",
    "The courier left the box at the wrong house.", "Can I change the delivery address?",
    "The tracking number does not work.", "My order has been stuck in transit for a week.",
    "Nobody rang the bell, and now the parcel is back at the depot.", "Do you deliver on Saturdays?",
    "How long does shipping to Norway take?", "The driver threw my package over the fence.",
    "I was not at home. Can it be brought again tomorrow?", "Two of the three boxes have come so far.",
    "Please leave the parcel with my neighbour.", "It says delivered, but I have received nothing.",
  ],
  invoice: [
    "I need a copy of my invoice.", "You have charged me twice.", "The VAT number on the bill is wrong.",
    "When do I get my money back?", "Can I pay by bank transfer?",
    "The amount on my credit card statement is too high.", "Please send the receipt to our accountant.",
    "My refund has not reached my account.", "Is it possible to pay in three instalments?",
    "The discount is missing from the bill.", "Our company name must be on the invoice.",
    "Why was I billed for a cancelled subscription?", "The payment was declined although there is money on the card.",
    "I have been sent a reminder for something I paid last month.", "Do prices include tax?",
  ],
  login: [
    "I forgot my password.", "My account is locked.", "The code for signing in never comes.",
    "How do I change my user name?", "The site says my email is unknown.",
    "Two-factor authentication fails on my new phone.", "I cannot log in since the update.",
    "The link for resetting the password has expired.", "Someone else seems to be using my account.",
    "It keeps throwing me out after a minute.", "Please delete my profile.",
    "The captcha will not accept my answer.", "Which address did I register with?",
    "I want to sign in with my fingerprint.", "My session ends whenever I open a second tab.",
  ],
  praise: [
    "Thank you, great service!", "I love this shop.", "The quality is better than I expected.",
    "Your support was friendly and quick.", "I will recommend you to my friends.",
    "What a wonderful surprise, everything is perfect.", "Best purchase I have made all year.",
    "My daughter has not put it down since.", "Keep up the good work!",
    "Five stars from me.", "It looks even nicer than in the pictures.",
    "I am so happy with it.", "Finally a company that listens to its customers.",
    "Beautifully made, and worth every cent.", "You solved my problem in five minutes, impressive.",
  ],
};
